/** Files that are chosen, or dropped anywhere on the page. */

import { ImportError } from "../core/errors.js";
import { box, byId } from "../draw/dom.js";
import { reveal } from "../draw/scrolling.js";

export class FileDrop {
  #input = byId("file", HTMLInputElement);
  #take;

  /** @param {(name: string, bytes: Uint8Array<ArrayBuffer>) => Promise<void>} take throws `ImportError` */
  constructor(take) {
    this.#take = take;
    this.#input.addEventListener("change", () => {
      const [file] = this.#input.files ?? [];
      if (file) this.#read(file);
      this.#input.value = ""; // so that the same file can be chosen again
    });
    const first = ([file] = /** @type {File[]} */ ([])) => {
      if (file) this.#read(file);
    };
    first(window.dropped); // before this script arrived (early_theme.js)
    addEventListener("drop", ({ dataTransfer }) => first([...(dataTransfer?.files ?? [])]));
  }

  /** @param {File} file */
  async #read(file) {
    const place = box("bring-error");
    place.hidden = true;
    try {
      await this.#take(file.name, new Uint8Array(await file.arrayBuffer()));
    } catch (error) {
      place.textContent =
        error instanceof ImportError ? error.message : "The file could not be read.";
      place.hidden = false;
      byId("bring", HTMLDetailsElement).open = true;
      reveal(place);
      if (!(error instanceof ImportError || error instanceof DOMException)) throw error;
    }
  }
}
