/** Where photos come from, and saved traces of some: chosen, taken, dropped anywhere on the page, pasted. */

import { box, byId } from "../shell/dom.js";
import { isTrace } from "../import/picture_trace.js";
import { pictureAmong } from "./samples.js";

export class Photos {
  #take;
  #bring;

  /** @param {{take: (file: File) => void, bring: (file: File) => void}} wiring `bring` gets what is a saved trace and no photo */
  constructor({ take, bring }) {
    this.#take = take;
    this.#bring = bring;
    for (const [button, field] of [["choose", "file"], ["camera", "shot"]]) {
      const input = byId(field, HTMLInputElement);
      box(button).addEventListener("click", () => input.click());
      input.addEventListener("change", () => {
        this.#among(input.files ?? []);
        input.value = ""; // the same file may be chosen again
      });
    }
    addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      document.body.toggleAttribute("data-dropping", true);
    });
    addEventListener("dragleave", (event) => {
      if (event.relatedTarget === null) document.body.removeAttribute("data-dropping");
    });
    addEventListener("drop", (event) => {
      document.body.removeAttribute("data-dropping");
      if (!event.dataTransfer?.files.length) return;
      event.preventDefault();
      this.#among(event.dataTransfer.files);
    });
    addEventListener("paste", (event) => {
      if (event.clipboardData?.files.length) this.#among(event.clipboardData.files);
    });
  }

  /** @param {Iterable<File>} files */
  #among(files) {
    const file = pictureAmong(files);
    if (file) (isTrace(file) ? this.#bring : this.#take)(file);
  }
}
