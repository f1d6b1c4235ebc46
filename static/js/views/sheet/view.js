/** All words at once, each with its map: the figure of the paper. */

/** @import {PictureScene} from "../../core/types" */

import { heading, percent } from "../../core/text.js";
import { box, element } from "../../shell/dom.js";
import { shownAspect } from "../photo/model.js";
import { probabilityOf } from "../../core/grid_scene.js";
import { panel } from "../photo/overlay.js";

export class SheetView {
  #box = box("sheet");

  /** @param {{open: (row: number) => void}} wiring */
  constructor({ open }) {
    this.#box.addEventListener("click", ({ target }) => {
      const pressed = target instanceof Element ? target.closest("[data-row]") : null;
      if (pressed instanceof HTMLElement) open(Number(pressed.dataset.row));
    });
  }

  /** @param {PictureScene} scene */
  draw(scene) {
    const aspect = shownAspect(scene.trace.picture);
    this.#box.style.setProperty("--aspect", String(aspect));
    const panels = scene.rows.map((item, row) => {
      const { text, quiet } = heading(item);
      const chance = probabilityOf(scene, row);
      const name = element("span", { class: "panel-name" }, element("b", { "data-quiet": quiet, dir: "auto" }, text), chance !== null && element("span", { class: "note number" }, percent(chance)));
      return element("button", { type: "button", class: "sheet-panel", "data-row": row }, panel(scene, row, aspect), name);
    });
    this.#box.replaceChildren(...panels);
  }

  /** @param {number} row @param {boolean} writing */
  at(row, writing) {
    [...this.#box.children].forEach((each, index) => {
      if (index === row) each.setAttribute("aria-current", "step");
      else each.removeAttribute("aria-current");
      each.toggleAttribute("data-unwritten", writing && index > row);
    });
  }
}
