/** The exact numbers of the cell under the pointer. Without a pointer, the table has the same numbers. */

/** @import {Item, View} from "../core/types" */

import { named, signed } from "../core/text.js";
import { box, html } from "./dom.js";

const MARGIN = 8;

export class Tooltip {
  #box = box("tooltip");

  /** @param {View} view @param {number} row @param {number} column @param {DOMRect} cell */
  show(view, row, column, cell) {
    const [query, key] = [view.rows[row], view.columns[column]];
    if (!query || !key) return;
    const score = view.scores?.[row]?.[column];
    const numbers = [`${view.symbol ?? "α"} ${view.weights?.[row]?.[column]?.toFixed(4)}`];
    if (typeof score === "number") numbers.push(`e ${signed(score, 3)}`);
    this.#at(`${named(query)} ← ${named(key)}`, numbers.join("  "), cell);
  }

  /** Shows a number of one item. @param {Item} item @param {string} number @param {DOMRect} cell */
  say(item, number, cell) {
    this.#at(named(item), number, cell);
  }

  /** Shows the meaning of a symbol. @param {string} meaning @param {DOMRect} place */
  explain(meaning, place) {
    this.#at(meaning, "", place);
  }

  /** @param {string} title @param {string} numbers @param {DOMRect} cell */
  #at(title, numbers, cell) {
    this.#box.replaceChildren(html.span(title), ...(numbers ? [html.b(numbers)] : []));
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
