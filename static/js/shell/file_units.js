/** The choice of the units of files: words, or the pieces that the model reads and writes. */

/** @import {Scene, Units} from "../core/types" */

import { mergeable } from "../core/trace.js";
import { byId, fill } from "../draw/dom.js";

export class FileUnits {
  #select = byId("file-units", HTMLSelectElement);
  /** The choice of a person. @type {Units | null} */
  #own = null;

  constructor() {
    this.#select.addEventListener("change", () => (this.#own = this.chosen));
  }

  get chosen() {
    return /** @type {Units} */ (this.#select.value || "subwords");
  }

  /** Offers the units of a trace; those on screen are chosen until a person chooses others. @param {Scene} scene */
  draw(scene) {
    const { model, trace, output, units } = scene;
    const several = mergeable(trace.source) || mergeable(output.target);
    const options = [
      { value: "words", text: "words" },
      { value: "subwords", text: model.granularity },
    ];
    fill(
      this.#select,
      several ? options : options.slice(1),
      several ? (this.#own ?? units) : "subwords",
    );
    /** @type {HTMLElement} */ (this.#select.closest("label")).hidden = !several;
  }
}
