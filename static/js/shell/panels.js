/** The panels that open and close, and the table inside one. The address bar contains the open ones. */

import { byId, box, html, say } from "../draw/dom.js";

const NAMES = ["search", "why", "numbers", "table", "call", "mine", "bring"];

export class Panels {
  /** The panels of the page. A standalone page has no form. */
  #panels = NAMES.filter((name) => document.getElementById(name)).map((name) =>
    byId(name, HTMLDetailsElement),
  );
  /** The panels of the address bar; a `toggle` event that only follows it is ignored. */
  #applied = "";

  /** @param {(open: string[]) => void} changed */
  constructor(changed) {
    for (const panel of this.#panels) {
      panel.addEventListener("toggle", () => {
        const open = this.#panels.filter((each) => each.open).map((each) => each.id);
        if (open.join() === this.#applied) return;
        this.#applied = open.join();
        changed(open);
      });
    }
  }

  /** @param {string[]} open */
  set(open) {
    for (const panel of this.#panels) panel.open = open.includes(panel.id);
    this.#applied = NAMES.filter((name) => open.includes(name)).join();
  }
}

/** @template {{row: number, kind: {sentence: (scene: any, row: number) => string}}} Scene */
export class PanelTable {
  #panel = byId("table", HTMLDetailsElement);
  #body = box("table-body");
  /** @type {Scene | null} */
  #pending = null;
  /** The scene of the last table that was made, or is. @type {Scene | null} */
  #wanted = null;
  #made;
  /** In the caption: the current row in a sentence, because a table may have many. */
  #now = html.p();

  /** @param {(scene: Scene) => HTMLTableElement | Promise<HTMLTableElement>} made a promise, where its module is loaded first */
  constructor(made) {
    this.#made = made;
    this.#panel.addEventListener("toggle", () => this.#flush());
  }

  /** @param {Scene} scene @param {unknown} [there] false if there is no data */
  draw(scene, there = true) {
    this.#panel.hidden = !there;
    this.#pending = scene;
    this.#flush();
  }

  /** Marks the current row, and says it in the caption. @param {Scene} scene @param {number} row */
  settle(scene, row) {
    this.#body.querySelector("tr[aria-current]")?.removeAttribute("aria-current");
    this.#body.querySelectorAll("tbody tr")[row]?.setAttribute("aria-current", "true");
    say(this.#now, scene.kind.sentence(scene, row));
  }

  #flush() {
    const scene = this.#pending;
    if (!this.#panel.open || !scene) return;
    this.#pending = null;
    this.#wanted = scene;
    const made = this.#made(scene);
    if (made instanceof Promise)
      made.then(
        (table) => this.#wanted === scene && this.#put(scene, table),
        (error) => {
          this.#pending ??= scene;
          throw error;
        },
      );
    else this.#put(scene, made);
  }

  /** @param {Scene} scene @param {HTMLTableElement} table */
  #put(scene, table) {
    this.#body.replaceChildren(table);
    table.caption?.append(this.#now);
    this.settle(scene, scene.row);
  }
}
