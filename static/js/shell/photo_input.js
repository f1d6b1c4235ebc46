/** Photos and saved traces that are chosen, taken, pasted, or dropped anywhere on the page. */

import { box, byId } from "../draw/dom.js";
import { isTrace, pictureAmong } from "./samples.js";

export class PhotoInput {
  #take;
  #open;

  /** @param {{take: (file: File) => void, open: (file: File) => void}} wiring `take` gets photos, `open` saved traces */
  constructor({ take, open }) {
    this.#take = take;
    this.#open = open;
    for (const [button, field] of /** @type {const} */ ([
      ["choose", "file"],
      ["camera", "shot"],
    ])) {
      const input = byId(field, HTMLInputElement);
      box(button).addEventListener("click", () => input.click());
      const takeChosen = () => {
        this.#takeFrom(input.files ?? []);
        input.value = ""; // the same file may be chosen again
      };
      input.addEventListener("change", takeChosen);
      if (input.files?.length) takeChosen(); // chosen before this script arrived
    }
    addEventListener("dragover", (event) => {
      if (event.dataTransfer?.types.includes("Files"))
        document.body.toggleAttribute("data-dropping", true);
    });
    addEventListener("dragleave", (event) => {
      if (event.relatedTarget === null) document.body.removeAttribute("data-dropping");
    });
    const takeDropped = () => {
      document.body.removeAttribute("data-dropping");
      this.#takeFrom(window.dropped ?? []);
      window.dropped = undefined;
    };
    addEventListener("drop", takeDropped);
    addEventListener("paste", (event) => {
      if (event.clipboardData?.files.length) this.#takeFrom(event.clipboardData.files);
    });
    takeDropped(); // before this script arrived
  }

  /** @param {Iterable<File>} files */
  #takeFrom(files) {
    const file = pictureAmong(files);
    if (file) (isTrace(file) ? this.#open : this.#take)(file);
  }
}
