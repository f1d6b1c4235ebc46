/** The figures of a captioner's step: grids of cells over the photo, the gate and the table of numbers. */

/** @import {Palette, PictureScene} from "../../core/types" */
/** @import {Cell, CellScale, PictureChain} from "./grid_model.js" */

import { colour } from "../../core/colours.js";
import { rowAndColumn } from "../../core/grid.js";
import { othersNote } from "../../core/sentences.js";
import { signed } from "../../core/text.js";
import { element, say, sayAny, svg } from "../../draw/dom.js";
import { palette } from "../../draw/theme.js";
import { shownAspect } from "../../core/photo_map.js";
import { square } from "../photo/overlay.js";
import { gateNote, regionScale, scoreScale, shadeOver, weightScale } from "./grid_model.js";

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

  /** @param {PictureScene} scene @param {CellScale} scale @param {(share: number) => string} shade */
  show(scene, { shareOf, drawn, caption }, shade) {
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
      this.#brush.fillStyle = shade(shareOf(cell));
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

  /** @param {PictureChain} chain @param {PictureScene} scene */
  scores(chain, scene) {
    return this.#scores.show(scene, scoreScale(chain), shadeOf(palette()));
  }

  /** @param {PictureChain} chain @param {PictureScene} scene */
  weights(chain, scene) {
    return this.#weights.show(scene, weightScale(chain), shadeOf(palette()));
  }

  /** The photo with each region faded to its weight. @param {PictureChain} chain @param {PictureScene} scene */
  regions(chain, scene) {
    const shade = (/** @type {number} */ share) =>
      `rgba(12, 14, 16, ${shadeOver(share).toFixed(3)})`;
    return this.#regions.show(scene, regionScale(chain, scene), shade);
  }
}

/** @param {Palette} colours @returns {(share: number) => string} */
const shadeOf = (colours) => (share) => colour(colours, share);

/** @param {number} value */
export function gate(value) {
  const meter = element("span", { class: "bar", "aria-hidden": "true" });
  meter.style.setProperty("--share", String(value));
  return element(
    "p",
    { class: "gate-line note" },
    element("b", {}, "β"),
    meter,
    element("span", { class: "number" }, gateNote(value)),
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
