/** Files that are chosen, or dropped anywhere on the page. */

import { isUnloaded } from "../core/api.js";
import { ImportError } from "../core/errors.js";
import { box, byId } from "../draw/dom.js";
import { reveal } from "../draw/scrolling.js";

export class FileDrop {
  #input = byId("file", HTMLInputElement);
  #take;

  /** @param {(name: string, bytes: Uint8Array<ArrayBuffer>) => Promise<void>} take throws `ImportError` */
  constructor(take) {
    this.#take = take;
    const takeChosen = () => {
      const [file] = this.#input.files ?? [];
      if (file) this.#read(file);
      this.#input.value = ""; // so that the same file can be chosen again
    };
    const takeDropped = () => {
      const [file] = window.dropped ?? [];
      window.dropped = undefined;
      if (file) this.#read(file);
    };
    this.#input.addEventListener("change", takeChosen);
    addEventListener("drop", takeDropped);
    // Before this script arrived.
    takeChosen();
    takeDropped();
  }

  /** @param {File} file */
  async #read(file) {
    const place = box("bring-error");
    place.hidden = true;
    try {
      await this.#take(file.name, new Uint8Array(await file.arrayBuffer()));
    } catch (error) {
      if (isUnloaded(error)) throw error;
      place.textContent =
        error instanceof ImportError ? error.message : "The file could not be read.";
      place.hidden = false;
      byId("bring", HTMLDetailsElement).open = true;
      reveal(place);
      if (!(error instanceof ImportError || error instanceof DOMException)) throw error;
    }
  }
}
