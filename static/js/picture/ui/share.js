/** Taking a picture's trace along: the link, the numbers, the sheet and one word's map as drawings, the call. */

/** @import {PictureScene, PictureSettings} from "../../types" */

import { NOBODY } from "../../imports.js";
import { box } from "../../ui/dom.js";
import { save } from "../../ui/download.js";
import { curl } from "../request.js";
import { YOURS, toQuery } from "../state.js";

/** @typedef {{scene: PictureScene, settings: PictureSettings, file: string}} Now what is on screen */

export class PictureShare {
  #now;
  #busy = false;

  /** @param {() => Now | null} now */
  constructor(now) {
    this.#now = now;
    this.#on("copy-link", ({ settings }) => copy(`${location.origin}/picture${toQuery(settings)}`, settings.sample === YOURS ? "Link copied. Your photo is not in it: save the trace for a link that shows it." : "Link copied."));
    this.#on("copy-json", ({ scene }) => copy(JSON.stringify(scene.trace), "JSON copied."));
    this.#on("copy-curl", ({ scene, settings, file }) => copy(curl(location.origin, settings, scene.model, file), "curl command copied."));
    this.#on("save-json", ({ scene }) => save(JSON.stringify(scene.trace, null, 1), "application/json", nameOf(scene, "json")));
    // What follows is loaded when it is asked for: most never ask.
    for (const what of /** @type {const} */ (["sheet", "word"])) {
      this.#on(`save-${what}-svg`, async ({ scene }) => save((await drawn(scene, what)).svg, "image/svg+xml", nameOf(scene, `${what}.svg`)));
      this.#on(`save-${what}-png`, async ({ scene }) => save(await (await import("../../ui/paper.js")).png(await drawn(scene, what)), "image/png", nameOf(scene, `${what}.png`)));
    }
  }

  /** @param {Now} now */
  draw({ scene, settings, file }) {
    const asked = scene.model.id !== NOBODY.id;
    for (const id of ["copy-curl", "curl"]) box(id).hidden = !asked;
    box("curl").textContent = asked ? curl(location.origin, settings, scene.model, file) : "";
  }

  /** @param {string} id @param {(now: Now) => string | Promise<string>} act returns what to say */
  #on(id, act) {
    const button = box(id);
    button.addEventListener("click", async () => {
      const now = this.#now();
      if (!now || this.#busy) return;
      this.#busy = true;
      button.setAttribute("aria-busy", "true");
      box("share-said").textContent = "";
      try {
        box("share-said").textContent = await act(now);
      } catch {
        box("share-said").textContent = "That did not work in this browser.";
      }
      button.removeAttribute("aria-busy");
      this.#busy = false;
    });
  }
}

/** @param {PictureScene} scene @param {"sheet" | "word"} what */
async function drawn(scene, what) {
  const [{ onPaper }, { measure }, { heatAddress }] = await Promise.all([import("../paper.js"), import("../../ui/paper.js"), import("./ink.js")]);
  return onPaper(scene, what, { measure, heat: (row) => heatAddress(scene, row) });
}

/** A file's name from what was written, safe on every system. @param {PictureScene} scene @param {string} extension */
function nameOf({ trace }, extension) {
  const words = trace.text.normalize("NFKC").match(/[\p{L}\p{N}]+/gu) ?? [];
  const stem = Array.from(words.join("-")).slice(0, 40).join("");
  return `heed-${trace.model.id}${stem && `-${stem}`}.${extension}`;
}

/** @param {string} text @param {string} said */
async function copy(text, said) {
  if (!navigator.clipboard) throw new Error("there is no clipboard here");
  await navigator.clipboard.writeText(text);
  return said;
}
