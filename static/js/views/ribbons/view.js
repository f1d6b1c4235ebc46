/** The alignment as ribbons between two sentences, drawn as SVG. */

/** @import {Palette, Scene, Settings, Trace} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */

import { coverage } from "../../core/row_metrics.js";
import { measure } from "../../draw/headings.js";
import { onScreen } from "../../draw/ink.js";
import { Drawing } from "../../draw/page.js";
import { LEAST_ROOM, fillsWindow, roomBelow } from "../../draw/scrolling.js";
import { Tooltip } from "../../draw/tooltip.js";
import { linksShown } from "../../core/gold_links.js";
import { SIZE, ribbonsDrawing } from "./marks.js";
import { linkLines, ribbons } from "./model.js";
import { YourLinks } from "./your_links.js";

/** Between the drawing and the links below it. */
const GAP = 16;

export class View {
  #box;
  #tooltip = new Tooltip();
  /** @type {Scene | null} */
  #scene = null;
  #picture = new Drawing({ role: "img" });
  /** @type {ReturnType<typeof ribbonsDrawing> | null} */
  #marks = null;
  /** @type {ReturnType<typeof ribbons> | null} */
  #laid = null;
  /** @type {Palette | null} */
  #palette = null;
  #row = 0;
  #writing = false;
  #links;

  /** @param {ViewWiring<Settings, Trace>} wiring */
  constructor({ place, select, peek, change }) {
    this.#box = place;
    this.#links = new YourLinks(change, select);
    place.replaceChildren(this.#picture.node, this.#links.root);
    this.#links.root.addEventListener("toggle", () => {
      this.#line();
      this.#light(this.#row, null);
    });
    this.#box.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "mouse") return;
      const { row, column } = placeOf(event);
      peek(row);
      if (row === null) this.#light(column === null ? this.#row : null, column);
      this.#showNumber(event, row, column);
    });
    this.#box.addEventListener("pointerleave", () => {
      this.#tooltip.hide();
      peek(null);
      this.#light(this.#row, null); // the row may be as before, but not the column
    });
    this.#box.addEventListener("click", (event) => {
      const { row, column } = placeOf(event);
      if (row !== null) select(row);
      else if (column !== null && this.#links.open) this.#links.press(column);
      else if (column !== null) this.#light(null, column);
    });
  }

  /** @param {Scene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    this.#scene = scene;
    this.#palette = palette;
    this.#tooltip.hide();
    if (!scene.view.weights) return;
    this.#links.draw(scene); // first, because it takes some of the height
    const laid = ribbons(scene.view, {
      ...this.#room,
      fits: fillsWindow(),
      mass: scene.mass,
      measure: (text) => measure(text, SIZE),
    });
    this.#laid = laid;
    this.#line();
    this.#picture.size(
      laid,
      `Ribbons from ${laid.rows.length} output to ${laid.columns.length} input words, as wide as their weights. ` +
        "The table below has the same numbers.",
    );
    this.#box.toggleAttribute("data-across", laid.across);
    this.#box.style.setProperty("--word", laid.line && !laid.dense ? `${laid.line - 2}px` : "2rem");
  }

  /** The room for the drawing on the first screen. */
  get #room() {
    const style = getComputedStyle(this.#box);
    const taken = (/** @type {string[]} */ ...sides) =>
      sides.reduce((sum, side) => sum + parseFloat(style.getPropertyValue(`padding-${side}`)), 0);
    const { offsetHeight } = this.#links.root;
    const below = offsetHeight && offsetHeight + GAP;
    return {
      room: this.#box.clientWidth - taken("left", "right") - 2,
      high: roomBelow(this.#box, LEAST_ROOM) - taken("top", "bottom") - below,
    };
  }

  /** Makes the marks, with the lines of links. */
  #line() {
    const [scene, laid, palette] = [this.#scene, this.#laid, this.#palette];
    if (!scene || !laid || !palette) return;
    const { source, target, links } = linksShown(scene, { gold: this.#links.open });
    const lines = linkLines(laid, scene.view, source, target, links);
    this.#marks = ribbonsDrawing(scene, laid, onScreen(palette), lines);
  }

  /** @param {number} row @param {RowState} state */
  at(row, { playing, peeking }) {
    this.#row = row;
    this.#writing = playing;
    if (!peeking && this.#scene?.view.weights) this.#links.at(row);
    this.#light(row, null);
  }

  /** Highlights the ribbons of a row or a column. @param {number | null} row @param {number | null} column */
  #light(row, column) {
    const until = this.#writing ? this.#row : Infinity;
    if (this.#marks) this.#picture.show(this.#marks({ row, column, current: this.#row, until }));
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
