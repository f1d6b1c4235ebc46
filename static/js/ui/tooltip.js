/** The exact numbers of the cell under the pointer. The table holds the same for everybody else. */

/** @import {View} from "../types" */

import { named, signed } from "../text.js";
import { box, element } from "./dom.js";

const MARGIN = 8;

export class Tooltip {
  #box = box("tooltip");

  /** @param {View} view @param {number} row @param {number} column @param {DOMRect} cell */
  show(view, row, column, cell) {
    const score = view.scores?.[row]?.[column];
    const numbers = [`α ${view.weights?.[row][column].toFixed(4)}`];
    if (typeof score === "number") numbers.push(`e ${signed(score, 3)}`);
    this.#box.replaceChildren(
      element("span", {}, `${named(view.rows[row])} ← ${named(view.columns[column])}`),
      element("b", {}, numbers.join("  ")),
    );
    this.#box.hidden = false;
    const { width, height } = this.#box.getBoundingClientRect();
    const left = cell.left + cell.width / 2 - width / 2;
    const above = cell.top - height - MARGIN;
    this.#box.style.left = `${Math.min(Math.max(left, MARGIN), document.documentElement.clientWidth - width - MARGIN)}px`;
    this.#box.style.top = `${above < MARGIN ? cell.bottom + MARGIN : above}px`;
  }

  hide() {
    this.#box.hidden = true;
  }
}
