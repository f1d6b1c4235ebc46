/** Buttons that hand something over: one thing after the other, and each says how it went. */

import { NotTaken } from "../export/share.js";
import { box } from "./dom.js";
import { save } from "./download.js";

/** What takes a while says so at once. */
const SLOW = ["save-gif", "save-html"];

/** @template Now what is on screen */
export class Handing {
  #now;
  #busy = false;

  /** @param {() => Now | null} now */
  constructor(now) {
    this.#now = now;
  }

  /** @param {string} id of the button @param {(now: Now) => string | Promise<string>} act returns what to say */
  on(id, act) {
    const button = box(id);
    const said = box("share-said");
    button.addEventListener("click", async () => {
      const now = this.#now();
      if (!now) return;
      if (this.#busy) return void (said.textContent = "One thing after the other: the last one is not done yet.");
      this.#busy = true;
      button.setAttribute("aria-busy", "true");
      said.textContent = SLOW.includes(id) ? "One moment…" : "";
      try {
        said.textContent = await act(now);
      } catch (error) {
        said.textContent = error instanceof NotTaken ? error.message : "That did not work in this browser.";
      }
      button.removeAttribute("aria-busy");
      this.#busy = false;
    });
  }
}

/** A moving picture, as a file. @param {import("../export/gif/gif_export.js").Shown[]} frames @param {string} name */
export async function saveFilm(frames, name) {
  const { film } = await import("../export/gif/gif_export.js");
  const { file, pictures, seconds } = await film(frames);
  return `${save(file, "image/gif", name)} ${pictures} pictures, ${seconds.toFixed(0)} seconds, ${Math.ceil(file.length / 1024)} kB.`;
}

/** A page that is one file. @param {string} page @param {string} name */
export const savePage = (page, name) => `${save(page, "text/html", name)} It opens in any browser, without a server.`;

/** @param {string} text @param {string} said */
export async function copy(text, said) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return said;
  }
  // Without a secure connection there is no clipboard API; the older way still works.
  const holder = document.createElement("textarea");
  holder.value = text;
  document.body.append(holder);
  holder.select();
  const done = document.execCommand("copy");
  holder.remove();
  if (!done) throw new Error("copying was refused");
  return said;
}
