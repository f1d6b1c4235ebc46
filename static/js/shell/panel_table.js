/** A table in a panel: made when the panel is opened, not before, and kept on the current row. */

import { box, byId } from "./dom.js";

/** @template {{row: number}} Scene */
export class PanelTable {
  #panel = byId("table", HTMLDetailsElement);
  #body = box("table-body");
  /** @type {Scene | null} */
  #pending = null;
  #made;

  /** @param {(scene: Scene) => HTMLTableElement} made */
  constructor(made) {
    this.#made = made;
    this.#panel.addEventListener("toggle", () => this.#flush());
  }

  /** @param {Scene} scene @param {boolean} [there] whether there is anything to tell */
  draw(scene, there = true) {
    this.#panel.hidden = !there;
    this.#pending = scene;
    this.#flush();
  }

  /** @param {number} row */
  at(row) {
    this.#body.querySelector("tr[data-current]")?.removeAttribute("data-current");
    this.#body.querySelectorAll("tbody tr")[row]?.setAttribute("data-current", "");
  }

  #flush() {
    if (!this.#panel.open || !this.#pending) return;
    this.#body.replaceChildren(this.#made(this.#pending));
    this.at(this.#pending.row);
    this.#pending = null;
  }
}
