/** The panels that open and close; which are open stands in the address bar. */

import { byId } from "./dom.js";

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
