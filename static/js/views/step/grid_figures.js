/** The figures of a captioner's step: grids of cells over the photo, the gate and the table of numbers. */

/** @import {PictureScene} from "../../core/types" */
/** @import {Cell, PictureChain} from "./grid_model.js" */

import { colour } from "../../core/colours.js";
import { placeOf, rowAndColumn } from "../../core/grid.js";
import { othersNote } from "../../core/sentences.js";
import { percent, signed } from "../../core/text.js";
import { element, say, sayAny, svg } from "../../shell/dom.js";
import { palette } from "../../shell/theme.js";
import { shownAspect } from "../../core/photo_map.js";
import { square } from "../photo/overlay.js";

/** Number of cells in the table. */
const LISTED = 10;

/** The numbers of a cell with their symbols. @param {Cell} cell @returns {[string, string][]} */
export function numbersOf({ score, shifted, exponential, weight }) {
  const show = (/** @type {number | null} */ value, /** @type {number} */ digits) =>
    value === null ? "–" : signed(value, digits);
  return [
    ["e", show(score, 2)],
    ["e − max", show(shifted, 2)],
    ["exp", show(exponential, 4)],
    ["α", weight.toFixed(4)],
  ];
}

/** Cells over the photo, with a line below; the same elements show every step. */
class CellFigure {
  #canvas = element("canvas", { class: "crisp" });
  #brush = this.#canvas.getContext("2d");
  #image = element("img", { alt: "", draggable: "false" });
  #marks = svg("svg", {
    viewBox: "0 0 1000 1000",
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  #grid = element("div", { class: "photo-panel grid-of" }, this.#image, this.#canvas, this.#marks);
  #caption = element("figcaption", { class: "note number" });
  #preview = "";

  node = element("figure", {}, this.#grid, this.#caption);

  /** @param {{bare?: boolean}} [how] `bare`: without the photo */
  constructor({ bare = false } = {}) {
    if (bare) this.#grid.dataset.bare = "";
  }

  /**
   * @param {PictureScene} scene
   * @param {{shade: (cell: number) => string, drawn?: PictureChain["drawn"], caption: string}} how `drawn`: the cell to outline, with hard attention
   */
  show(scene, { shade, drawn = null, caption }) {
    const { source, picture } = scene.trace;
    if (picture.preview !== this.#preview) {
      this.#preview = picture.preview;
      this.#image.src = picture.preview;
      this.#canvas.width = source.columns;
      this.#canvas.height = source.rows;
      this.#grid.style.setProperty("--aspect", String(shownAspect(picture)));
    }
    this.#brush?.clearRect(0, 0, source.columns, source.rows);
    for (let cell = 0; this.#brush && cell < source.rows * source.columns; cell++) {
      this.#brush.fillStyle = shade(cell);
      this.#brush.fillRect(cell % source.columns, Math.floor(cell / source.columns), 1, 1);
    }
    this.#marks.replaceChildren(...(drawn ? square(scene, drawn.cell, "drawn") : []));
    sayAny(this.#caption, caption);
    return this.node;
  }
}

/** The figures of a step. */
export class GridFigures {
  #scores = new CellFigure({ bare: true });
  #weights = new CellFigure({ bare: true });
  #regions = new CellFigure();

  /** Shades the scores from the smallest to the largest of this step, because their zero has no meaning. @param {PictureChain} chain @param {PictureScene} scene */
  scores({ cells }, scene) {
    const scores = cells.flatMap(({ score }) => score ?? []);
    const [low, high] = [Math.min(...scores), Math.max(...scores)];
    const colours = palette();
    return this.#scores.show(scene, {
      shade: (cell) => colour(colours, ((cells[cell].score ?? low) - low) / (high - low || 1)),
      caption: scores.length
        ? `e from ${signed(low, 2)} to ${signed(high, 2)}`
        : "The trace does not contain the scores.",
    });
  }

  /** @param {PictureChain} chain @param {PictureScene} scene */
  weights({ cells, drawn }, scene) {
    const top = Math.max(...cells.map(({ weight }) => weight), 1e-9);
    const sum = cells.reduce((total, { weight }) => total + weight, 0);
    const colours = palette();
    return this.#weights.show(scene, {
      shade: (cell) => colour(colours, cells[cell].weight / top),
      drawn,
      caption: `α from 0 to ${top.toFixed(3)}; all ${cells.length} sum to ${sum > 0.9995 ? 1 : sum.toFixed(3)}`,
    });
  }

  /** The photo with each region faded to its weight; with hard attention, only the drawn one is visible. @param {PictureChain} chain @param {PictureScene} scene */
  regions({ cells, drawn }, scene) {
    const top = Math.max(...cells.map(({ weight }) => weight), 1e-9);
    const seen = (/** @type {number} */ cell) =>
      drawn ? Number(cell === drawn.cell) : cells[cell].weight / top;
    return this.#regions.show(scene, {
      shade: (cell) => `rgba(12, 14, 16, ${(0.94 * (1 - seen(cell))).toFixed(3)})`,
      drawn,
      caption: drawn
        ? `drawn: ${rowAndColumn(scene.trace.source, drawn.cell)}, ${placeOf(scene.trace.source, drawn.cell)}; probability ${percent(Math.exp(drawn.log_probability))}`
        : "",
    });
  }
}

/** @param {number} value */
export function gate(value) {
  const meter = element("span", { class: "bar", "aria-hidden": "true" });
  meter.style.setProperty("--share", String(value));
  return element(
    "p",
    { class: "gate-line note" },
    element("b", {}, "β"),
    meter,
    element(
      "span",
      { class: "number" },
      `${value.toFixed(3)}: how much the picture counted for this word`,
    ),
  );
}

/** The strongest cells with their numbers, in a panel that is closed at first. */
export class Digits {
  #body = element("tbody");
  #note = element("p", { class: "note" });

  node = element(
    "details",
    { class: "digits" },
    element("summary", {}, "In numbers"),
    element(
      "div",
      { class: "digits-body", tabindex: 0, role: "region", "aria-label": "The strongest cells" },
      element(
        "table",
        { class: "figures" },
        element(
          "thead",
          {},
          element(
            "tr",
            {},
            ...["cell", "e", "e − max", "exp", "α"].map((title) =>
              element("th", { scope: "col" }, title),
            ),
          ),
        ),
        this.#body,
      ),
    ),
    this.#note,
  );

  /** @param {PictureChain} chain @param {PictureScene} scene */
  show({ cells, sum }, scene) {
    const order = cells.toSorted((a, b) => b.weight - a.weight).slice(0, LISTED);
    const rest = 1 - order.reduce((total, { weight }) => total + weight, 0);
    const lines = order.map((cell) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, rowAndColumn(scene.trace.source, cell.cell)),
        ...numbersOf(cell).map(([, value]) => element("td", {}, value)),
      ),
    );
    this.#body.replaceChildren(...lines);
    const sums = sum ? ` The exponentials sum to ${sum.toFixed(3)}.` : "";
    say(this.#note, `${othersNote(cells.length - order.length, rest)}.${sums}`);
    return this.node;
  }
}
