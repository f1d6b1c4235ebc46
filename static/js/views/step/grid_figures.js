/** The figures of a captioner's step: grids of cells over the photo, the gate and the table of numbers. */

/** @import {PictureScene} from "../../core/types" */
/** @import {Cell, PictureChain} from "./grid_model.js" */

import { colour } from "../../core/colours.js";
import { placeOf, rowAndColumn } from "../../core/grid.js";
import { othersNote } from "../../core/sentences.js";
import { percent, signed } from "../../core/text.js";
import { element, svg } from "../../shell/dom.js";
import { palette } from "../../shell/theme.js";
import { shownAspect } from "../photo/model.js";
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

/** @param {PictureScene} scene @param {(cell: number) => string} shade @param {...Node} above */
function grid(scene, shade, ...above) {
  const { source, picture } = scene.trace;
  const canvas = element("canvas", { width: source.columns, height: source.rows, class: "crisp" });
  const brush = canvas.getContext("2d");
  for (let cell = 0; brush && cell < source.rows * source.columns; cell++) {
    brush.fillStyle = shade(cell);
    brush.fillRect(cell % source.columns, Math.floor(cell / source.columns), 1, 1);
  }
  const image = element("img", { src: picture.preview, alt: "", draggable: "false" });
  const made = element("div", { class: "photo-panel grid-of" }, image, canvas, ...above);
  made.style.setProperty("--aspect", String(shownAspect(picture)));
  return made;
}

/** Shades the scores from the smallest to the largest of this step, because their zero has no meaning. @param {PictureChain} chain @param {PictureScene} scene */
export function scoreGrid({ cells }, scene) {
  const scores = cells.flatMap(({ score }) => score ?? []);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const made = grid(scene, (cell) =>
    colour(palette(), ((cells[cell].score ?? low) - low) / (high - low || 1)),
  );
  made.dataset.bare = "";
  return element(
    "figure",
    {},
    made,
    element(
      "figcaption",
      { class: "note number" },
      scores.length
        ? `e from ${signed(low, 2)} to ${signed(high, 2)}`
        : "The trace does not contain the scores.",
    ),
  );
}

/** The outline of the drawn cell, with hard attention. @param {PictureChain["drawn"]} drawn @param {PictureScene} scene */
function marksOf(drawn, scene) {
  const marks = svg("svg", {
    viewBox: "0 0 1000 1000",
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  if (drawn) marks.append(...square(scene, drawn.cell, "drawn"));
  return marks;
}

/** @param {PictureChain} chain @param {PictureScene} scene */
export function weightGrid({ cells, drawn }, scene) {
  const top = Math.max(...cells.map(({ weight }) => weight), 1e-9);
  const made = grid(
    scene,
    (cell) => colour(palette(), cells[cell].weight / top),
    marksOf(drawn, scene),
  );
  made.dataset.bare = "";
  return element(
    "figure",
    {},
    made,
    element(
      "figcaption",
      { class: "note number" },
      `α from 0 to ${top.toFixed(3)}; all 196 sum to 1`.replace("196", String(cells.length)),
    ),
  );
}

/** The photo with each region faded to its weight; with hard attention, only the drawn one is visible. @param {PictureChain} chain @param {PictureScene} scene */
export function regions({ cells, drawn }, scene) {
  const top = Math.max(...cells.map(({ weight }) => weight), 1e-9);
  const seen = (/** @type {number} */ cell) =>
    drawn ? Number(cell === drawn.cell) : cells[cell].weight / top;
  const caption = drawn
    ? `drawn: ${rowAndColumn(scene.trace.source, drawn.cell)}, ${placeOf(scene.trace.source, drawn.cell)}; probability ${percent(Math.exp(drawn.log_probability))}`
    : "";
  return element(
    "figure",
    {},
    grid(
      scene,
      (cell) => `rgba(12, 14, 16, ${(0.94 * (1 - seen(cell))).toFixed(3)})`,
      marksOf(drawn, scene),
    ),
    caption && element("figcaption", { class: "note number" }, caption),
  );
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

/** The strongest cells with their numbers, in a closed panel. @param {PictureChain} chain @param {PictureScene} scene */
export function digits({ cells, sum }, scene) {
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
  const titles = ["cell", "e", "e − max", "exp", "α"].map((title) =>
    element("th", { scope: "col" }, title),
  );
  const table = element(
    "table",
    { class: "figures" },
    element("thead", {}, element("tr", {}, ...titles)),
    element("tbody", {}, ...lines),
  );
  const note = `${othersNote(cells.length - order.length, rest)}.${sum ? ` The exponentials sum to ${sum.toFixed(3)}.` : ""}`;
  return element(
    "details",
    { class: "digits" },
    element("summary", {}, "In numbers"),
    element(
      "div",
      { class: "digits-body", tabindex: 0, role: "region", "aria-label": "The strongest cells" },
      table,
    ),
    element("p", { class: "note" }, note),
  );
}
