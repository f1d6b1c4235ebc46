/** Buttons that export: one at a time, and each shows its result. */

import { ExportRefused } from "../core/errors.js";
import { box } from "../draw/dom.js";
import { save } from "../draw/download.js";

/** Exports that take a while. */
const SLOW = ["save-gif", "save-html"];

/** @template Now the scene on screen */
export class ExportButtons {
  #now;
  #busy = false;

  /** @param {() => Now | null} now */
  constructor(now) {
    this.#now = now;
  }

  /** @param {string} id of the button @param {(now: Now) => string | Promise<string>} act returns the message */
  on(id, act) {
    const button = box(id);
    const message = box("share-said");
    button.addEventListener("click", async () => {
      const now = this.#now();
      if (!now) return;
      if (this.#busy) return void (message.textContent = "Wait for the last export to finish.");
      this.#busy = true;
      button.setAttribute("aria-busy", "true");
      message.textContent = SLOW.includes(id) ? "One moment…" : "";
      try {
        message.textContent = await act(now);
      } catch (error) {
        message.textContent =
          error instanceof ExportRefused ? error.message : "This browser could not do that.";
      }
      button.removeAttribute("aria-busy");
      this.#busy = false;
    });
  }
}

/** @param {import("../export/gif/gif_export.js").Shown[]} frames @param {string} name */
export async function saveAnimation(frames, name) {
  const { animation } = await import("../export/gif/gif_export.js");
  const { file, count, seconds } = await animation(frames);
  return `${save(file, "image/gif", name)} ${count} frames, ${seconds.toFixed(0)} seconds, ${Math.ceil(file.length / 1024)} kB.`;
}

/** A standalone page. @param {string} page @param {string} name */
export const savePage = (page, name) =>
  `${save(page, "text/html", name)} It opens in any browser, without a server.`;

/** @param {string} text @param {string} done the message */
export async function copy(text, done) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return done;
  }
  // Without a secure connection there is no clipboard API; the older way still works.
  const holder = document.createElement("textarea");
  holder.value = text;
  document.body.append(holder);
  holder.select();
  const copied = document.execCommand("copy");
  holder.remove();
  if (!copied) throw new Error("copying was refused");
  return done;
}
