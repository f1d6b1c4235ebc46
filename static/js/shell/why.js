/** The panel “Why does it look like this?”, whose list is loaded once it is opened. */

/** @import {Place, WhyList, WhyWiring} from "./why_list.js" */

import { box, byId } from "../draw/dom.js";

export class Why {
  #panel = byId("why", HTMLDetailsElement);
  #wiring;
  /** @type {WhyList | null} */
  #list = null;
  /** @type {Place | null} */
  #now = null;

  /** @param {WhyWiring} wiring */
  constructor(wiring) {
    this.#wiring = wiring;
    this.#panel.addEventListener("toggle", () => void this.#draw());
  }

  /** @param {any} scene @param {{settings: any}} how */
  draw(scene, { settings }) {
    this.#now = { scene, settings };
    this.#panel.hidden =
      !(scene.view ?? scene).weights?.length || scene.output.finish === "writing";
  }

  /** After the view, whose cells are marked. */
  settle() {
    void this.#draw();
  }

  async #draw() {
    if (!this.#panel.open || this.#panel.hidden) return this.#list?.clear();
    if (!this.#list) {
      const { WhyList } = await import("./why_list.js");
      this.#list ??= new WhyList(box("why-body"), this.#wiring);
    }
    if (this.#now) this.#list.draw(this.#now);
  }
}
