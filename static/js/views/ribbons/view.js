/** The alignment as ribbons between two sentences, drawn as SVG. */

/** @import {Scene, Settings, Trace} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */
/** @import {Drawing, Place, Ribbon} from "./model.js" */

import { ribbons } from "./model.js";
import { coverage } from "../../core/row_metrics.js";
import { languageOf } from "../../core/text.js";
import { svg } from "../../draw/dom.js";
import { measure } from "../../draw/headings.js";
import { Tooltip } from "../../draw/tooltip.js";

/** Words are larger here than in the headings of the map, for which text is measured. */
const LARGER = 16 / 14;

export class View {
  #box;
  #tooltip = new Tooltip();
  /** @type {Scene | null} */
  #scene = null;
  /** @type {{ribbon: Ribbon, node: SVGElement}[]} */
  #ribbons = [];
  /** @type {SVGElement[]} */
  #rows = [];
  /** @type {SVGElement[]} */
  #columns = [];
  #row = 0;
  #writing = false;

  /** @param {ViewWiring<Settings, Trace>} wiring */
  constructor({ place, select, peek }) {
    this.#box = place;
    this.#box.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "mouse") return;
      const { row, column } = placeOf(event);
      peek(row);
      if (column !== null && row === null) this.#light(null, column);
      this.#showNumber(event, row, column);
    });
    this.#box.addEventListener("pointerleave", () => {
      this.#tooltip.hide();
      peek(null);
    });
    this.#box.addEventListener("click", (event) => {
      const { row, column } = placeOf(event);
      if (row !== null) select(row);
      else if (column !== null) this.#light(null, column);
    });
  }

  /** @param {Scene} scene */
  draw(scene) {
    this.#scene = scene;
    this.#tooltip.hide();
    if (!scene.view.weights) return;
    const drawing = ribbons(scene.view, {
      room: this.#box.clientWidth - 2,
      mass: scene.mass,
      measure: (text) => measure(text) * LARGER,
    });
    this.#ribbons = drawing.ribbons.map((ribbon) => ({
      ribbon,
      node: svg("path", {
        d: ribbon.path,
        class: "ribbon",
        "data-row": ribbon.row,
        "data-column": ribbon.column,
      }),
    }));
    const { columnAxis, rowAxis } = scene.view;
    const [read, written] = [columnAxis, rowAxis].map((axis) => languageOf(scene.model, axis));
    this.#columns = drawing.columns.map((place, column) =>
      word(place, "column", column, drawing, read),
    );
    this.#rows = drawing.rows.map((place, row) => word(place, "row", row, drawing, written));
    const label =
      `Ribbons from ${drawing.rows.length} output to ${drawing.columns.length} input words, as wide as their weights. ` +
      "The table below has the same numbers.";
    const { width, height } = drawing;
    const picture = svg("svg", {
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": label,
      direction: "ltr",
    });
    picture.append(...this.#ribbons.map(({ node }) => node), ...this.#columns, ...this.#rows);
    this.#box.toggleAttribute("data-across", drawing.across);
    this.#box.replaceChildren(picture);
  }

  /** @param {number} row @param {RowState} state */
  at(row, { playing }) {
    this.#row = row;
    this.#writing = playing;
    this.#light(row, null);
  }

  /** Highlights the ribbons of a row or a column. @param {number | null} row @param {number | null} column */
  #light(row, column) {
    const [rows, columns] = [new Set([row]), new Set([column])];
    for (const { ribbon, node } of this.#ribbons) {
      const lit = ribbon.row === row || ribbon.column === column;
      node.toggleAttribute("data-lit", lit);
      node.toggleAttribute("data-unwritten", this.#writing && ribbon.row > this.#row);
      if (lit) (rows.add(ribbon.row), columns.add(ribbon.column));
    }
    this.#rows.forEach((node, index) => {
      node.toggleAttribute("data-lit", rows.has(index));
      node.toggleAttribute("data-current", index === this.#row);
      node.toggleAttribute("data-unwritten", this.#writing && index > this.#row);
    });
    this.#columns.forEach((node, index) => node.toggleAttribute("data-lit", columns.has(index)));
  }

  /** @param {PointerEvent} event @param {number | null} row @param {number | null} column */
  #showNumber(event, row, column) {
    const view = this.#scene?.view;
    if (!view?.weights || (row === null && column === null)) return this.#tooltip.hide();
    const place = /** @type {Element} */ (event.target).getBoundingClientRect();
    if (row !== null && column !== null) {
      this.#tooltip.show(view, row, column, new DOMRect(event.clientX, event.clientY - 4, 0, 8));
    } else if (column !== null) {
      this.#tooltip.say(
        view.columns[column],
        `coverage ${coverage(view.weights, column).toFixed(2)}`,
        place,
      );
    } else this.#tooltip.hide();
  }
}

/** @param {Event} event @returns {{row: number | null, column: number | null}} */
function placeOf(event) {
  const found = /** @type {Element} */ (event.target).closest("[data-row], [data-column]");
  if (!(found instanceof SVGElement)) return { row: null, column: null };
  const { row, column } = found.dataset;
  return {
    row: row === undefined ? null : Number(row),
    column: column === undefined ? null : Number(column),
  };
}

/** @param {Place} place @param {"row" | "column"} kind @param {number} index @param {Drawing} drawing @param {string} language */
function word(place, kind, index, { across }, language) {
  const anchor = across ? "middle" : kind === "row" ? "start" : "end";
  const text = svg("text", {
    x: place.x,
    y: place.y,
    "text-anchor": anchor,
    "dominant-baseline": across ? "auto" : "central",
  });
  text.textContent = place.text;
  const group = svg("g", {
    class: "end",
    [`data-${kind}`]: index,
    "data-quiet": place.quiet,
    lang: language || null,
  });
  group.append(text);
  return group;
}
