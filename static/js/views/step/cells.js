/** The cells of a step over the photo: how strong each is, and their marks for page and paper. Pure. */

/** @import {Drawn, GridAxis, PictureScene} from "../../core/types" */
/** @import {Look, Mark} from "../../draw/marks.js" */
/** @import {Content, Numbers} from "./model.js" */
/** @import {PhotoOf} from "../../draw/photo_marks.js" */

import { colour } from "../../core/colours.js";
import { placeOf, rowAndColumn } from "../../core/grid.js";
import { percent, signed } from "../../core/text.js";
import { group, mark } from "../../draw/marks.js";
import { cellPlace, square } from "../../draw/photo_marks.js";

/** @typedef {Numbers & {cell: number}} Cell */

/**
 * @typedef {object} CellScale a figure of cells
 * @property {(cell: number) => number} shareOf how strong a cell is, from 0 to 1
 * @property {Drawn | null} drawn @property {string} caption
 * @property {boolean} [faded] true if the photo shows under them, faded where a cell is weak
 */

/** The figure of a part of a step; none while the map is not loaded. @param {"scores" | "weights" | "context"} part @param {{cells: Cell[], drawn?: Drawn | null}} facts @param {GridAxis} axis @returns {Content[]} */
export function cellsOf(part, { cells, drawn = null }, axis) {
  if (!cells.length) return [];
  const scale =
    part === "scores"
      ? scoreScale(cells)
      : part === "weights"
        ? weightScale(cells, drawn)
        : regionScale(cells, drawn, axis);
  return [{ cells: { name: part, scale } }];
}

/** The scores from the smallest to the largest of this step, because their zero has no meaning. @param {Cell[]} cells @returns {CellScale} */
function scoreScale(cells) {
  const scores = cells.flatMap(({ score }) => score ?? []);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  return {
    shareOf: (cell) => ((cells[cell].score ?? low) - low) / (high - low || 1),
    drawn: null,
    caption: scores.length
      ? `e from ${signed(low, 2)} to ${signed(high, 2)}`
      : "The trace does not contain the scores.",
  };
}

/** @param {Cell[]} cells @param {Drawn | null} drawn @returns {CellScale} */
function weightScale(cells, drawn) {
  const top = largest(cells);
  const sum = cells.reduce((total, { weight }) => total + weight, 0);
  return {
    shareOf: (cell) => cells[cell].weight / top,
    drawn,
    caption: `α from 0 to ${top.toFixed(3)}; all ${cells.length} sum to ${sum > 0.9995 ? 1 : sum.toFixed(3)}`,
  };
}

/** How much of each region is visible; with hard attention, only the drawn one is. @param {Cell[]} cells @param {Drawn | null} drawn @param {GridAxis} axis @returns {CellScale} */
function regionScale(cells, drawn, axis) {
  const top = largest(cells);
  return {
    shareOf: (cell) => (drawn ? Number(cell === drawn.cell) : cells[cell].weight / top),
    drawn,
    caption: drawn
      ? `drawn: ${rowAndColumn(axis, drawn.cell)}, ${placeOf(axis, drawn.cell)}; probability ${percent(Math.exp(drawn.log_probability))}`
      : "",
    faded: true,
  };
}

/** @param {Cell[]} cells */
const largest = (cells) => Math.max(...cells.map(({ weight }) => weight), 1e-9);

/** The darkest shade: what counts for nothing can still be recognized on a dark page. */
const DARKEST = 0.86;

/** The shade over a region that counts this much. @param {number} share */
const shadeOver = (share) => ({
  fill: "#0c0e10",
  "fill-opacity": (DARKEST * (1 - share)).toFixed(3),
});

/**
 * The cells over a photo of this size, each with a key of its own.
 * @param {PictureScene} scene @param {CellScale} scale @param {{width: number, height: number}} size
 * @param {{look: Look, photo: PhotoOf}} how @returns {Mark[]}
 */
export function cellMarks(scene, { shareOf, drawn, faded }, size, { look, photo }) {
  const { rows, columns } = scene.trace.source;
  const shade = faded
    ? shadeOver
    : (/** @type {number} */ share) => ({ fill: colour(look.palette, share) });
  const cells = Array.from({ length: rows * columns }, (_, cell) => ({
    ...mark("rect", { ...cellPlace(scene, cell, size), ...shade(shareOf(cell)) }),
    key: String(cell),
  }));
  return [
    ...(faded ? [photo({ x: 0, y: 0, ...size })] : []),
    group("cells", cells, { "shape-rendering": "crispEdges" }),
    ...(drawn ? square(scene, drawn.cell, size) : []),
  ];
}

/** The numbers of a cell with their symbols. @param {Numbers} numbers @returns {[string, string][]} */
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

/** The statement about the gate. @param {number} value */
export const gateNote = (value) =>
  `${value.toFixed(3)}: how much the picture counted for this word`;
