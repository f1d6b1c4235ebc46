/** The panels that open and close, and the table inside one. Which are open stands in the address bar. */

import { byId, box } from "./dom.js";

const NAMES = ["search", "numbers", "table", "call", "bring"];

export class Panels {
  /** Those of the page: a saved one has nothing to ask with. */
  #panels = NAMES.filter((name) => document.getElementById(name)).map((name) =>
    byId(name, HTMLDetailsElement),
  );
  /** What the address bar says; a `toggle` that only follows it is news to nobody. */
  #known = "";

  /** @param {(open: string[]) => void} changed */
  constructor(changed) {
    for (const panel of this.#panels) {
      panel.addEventListener("toggle", () => {
        const open = this.#panels.filter((each) => each.open).map((each) => each.id);
        if (open.join() === this.#known) return;
        this.#known = open.join();
        changed(open);
      });
    }
  }

  /** @param {string[]} open */
  set(open) {
    for (const panel of this.#panels) panel.open = open.includes(panel.id);
    this.#known = NAMES.filter((name) => open.includes(name)).join();
  }
}

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
