/** The panel with the numbers of one step. */

/** @import {Scene} from "../../core/types" */

import { box, byId } from "../../draw/dom.js";

export class Numbers {
  #panel = byId("numbers", HTMLDetailsElement);
  #body = box("numbers-body");
  /** The row that the panel is to show. @type {{scene: Scene, row: number} | null} */
  #now = null;

  constructor() {
    this.#panel.addEventListener("toggle", () => this.#draw());
  }

  /** @param {Scene} scene @param {number} row */
  settle(scene, row) {
    this.#now = { scene, row };
    void this.#draw();
  }

  async #draw() {
    const now = this.#now;
    if (!this.#panel.open || !now) return;
    const { numbersOf } = await import("./step_numbers.js");
    if (this.#now !== now) return;
    this.#now = null;
    this.#body.replaceChildren(...numbersOf(now.scene, now.row));
  }
}
