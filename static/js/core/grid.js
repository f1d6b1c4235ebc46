/** The cells of a picture: their positions, and names of these. Pure. */

/** @import {GridAxis} from "./types" */

import { entropy } from "./row_metrics.js";
import { weight } from "./text.js";

/** @typedef {{left: number, top: number, width: number, height: number}} Rectangle */

/**
 * The part of the picture that a cell covers, in shares of the picture's sides: a picture of any
 * shape is squashed to a square, so its cells have its own shape.
 * @param {GridAxis} axis @param {number} cell @param {{width: number, height: number}} picture @returns {Rectangle}
 */
export function cellRectangle(axis, cell, picture) {
  const [row, column] = [Math.floor(cell / axis.columns), cell % axis.columns];
  return {
    left: (axis.left + (column * axis.width) / axis.columns) / picture.width,
    top: (axis.top + (row * axis.height) / axis.rows) / picture.height,
    width: axis.width / axis.columns / picture.width,
    height: axis.height / axis.rows / picture.height,
  };
}

/**
 * The cell at a place of the picture, or the nearest one.
 * @param {GridAxis} axis @param {number} x share of the width @param {number} y share of the height
 * @param {{width: number, height: number}} picture
 */
export function cellAt(axis, x, y, picture) {
  const across = ((x * picture.width - axis.left) / axis.width) * axis.columns;
  const down = ((y * picture.height - axis.top) / axis.height) * axis.rows;
  return (
    within(Math.floor(down), axis.rows) * axis.columns + within(Math.floor(across), axis.columns)
  );
}

/** All cells of the rectangle that two of its corners span. @param {GridAxis} axis @param {number} one @param {number} other */
export function cellsBetween({ columns }, one, other) {
  const [top, bottom] = ordered(Math.floor(one / columns), Math.floor(other / columns));
  const [left, right] = ordered(one % columns, other % columns);
  /** @type {number[]} */
  const cells = [];
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++) cells.push(row * columns + column);
  return cells;
}

/**
 * The edge of a region of cells, as a path in thousandths of the picture's sides.
 * @param {GridAxis} axis @param {number[]} cells @param {{width: number, height: number}} picture
 */
export function edgeOf(axis, cells, picture) {
  const inside = new Set(cells);
  const has = (/** @type {number} */ row, /** @type {number} */ column) =>
    row >= 0 &&
    row < axis.rows &&
    column >= 0 &&
    column < axis.columns &&
    inside.has(row * axis.columns + column);
  const round = (/** @type {number} */ share) => Math.round(share * 10000) / 10;
  return cells
    .map((cell) => {
      const { left, top, width, height } = cellRectangle(axis, cell, picture);
      const [row, column] = [Math.floor(cell / axis.columns), cell % axis.columns];
      const [west, east, north, south] = [left, left + width, top, top + height].map(round);
      return [
        has(row - 1, column) ? "" : `M${west} ${north}H${east}`,
        has(row, column + 1) ? "" : `M${east} ${north}V${south}`,
        has(row + 1, column) ? "" : `M${west} ${south}H${east}`,
        has(row, column - 1) ? "" : `M${west} ${north}V${south}`,
      ].join("");
    })
    .join("");
}

/** The cell at an offset of rows and columns, clipped at the edge. @param {GridAxis} axis @param {number} cell @param {number} down @param {number} right */
export function beside({ rows, columns }, cell, down, right) {
  return (
    within(Math.floor(cell / columns) + down, rows) * columns +
    within((cell % columns) + right, columns)
  );
}

const BANDS = ["upper", "middle", "lower"];
const SIDES = ["left", "middle", "right"];

/** The name of the position of a cell: one of nine parts. @param {GridAxis} axis @param {number} cell */
export function placeOf({ rows, columns }, cell) {
  // By the centre of the cell, so that there are as many cells left as right.
  const band = Math.floor(((Math.floor(cell / columns) + 0.5) * 3) / rows);
  const side = Math.floor((((cell % columns) + 0.5) * 3) / columns);
  return named(band, side);
}

/**
 * The weight of a row in each of the nine parts, the largest first.
 * @param {GridAxis} axis @param {number[]} weights @returns {{place: string, weight: number}[]}
 */
export function massByPlace(axis, weights) {
  /** @type {Map<string, number>} */
  const mass = new Map();
  weights.forEach((weight, cell) => {
    const place = placeOf(axis, cell);
    mass.set(place, (mass.get(place) ?? 0) + weight);
  });
  return [...mass]
    .map(([place, weight]) => ({ place, weight }))
    .sort((a, b) => b.weight - a.weight);
}

/** Places worth naming, and how many. */
const WORTH_NAMING = 0.15;
const MOST_NAMED = 2;
/** Attention counts as spread out where no part of nine has more, or the entropy is nearly maximal. */
const SPREAD_OUT = { part: 0.25, spread: 0.95 };

/** The parts with most of the weight of a row, in words; null where it is spread out. @param {GridAxis} axis @param {number[]} weights */
export function strongestPlaces(axis, weights) {
  const mass = massByPlace(axis, weights);
  const total = weights.reduce((sum, value) => sum + value, 0) || 1;
  const spread = entropy(weights.map((value) => value / total)) / Math.log2(weights.length);
  if (mass[0].weight / total < SPREAD_OUT.part || spread > SPREAD_OUT.spread) return null;
  return mass
    .slice(0, MOST_NAMED)
    .filter((each, index) => index === 0 || each.weight >= WORTH_NAMING)
    .map((each) => `${each.place} (${weight(each.weight)})`)
    .join(" and the ");
}

/** Row and column, counted from 1. @param {GridAxis} axis @param {number} cell */
export function rowAndColumn({ columns }, cell) {
  return `row ${Math.floor(cell / columns) + 1}, column ${(cell % columns) + 1}`;
}

/** The patch of a token; null for a mark. @param {GridAxis} axis @param {number} token */
export const patchOf = ({ marks }, token) => {
  const patch = token - (marks?.length ?? 0);
  return patch < 0 ? null : patch;
};

/** The token of a patch. @param {GridAxis} axis @param {number} patch */
export const tokenOf = ({ marks }, patch) => patch + (marks?.length ?? 0);

/** The name of a token in a sentence. @param {GridAxis} axis @param {number} token */
export function tokenName(axis, token) {
  const patch = patchOf(axis, token);
  if (patch !== null) return `patch in ${rowAndColumn(axis, patch)}`;
  return markName(axis.marks?.[token] ?? "");
}

/** @param {string} mark */
export const markName = (mark) => (mark === "[CLS]" ? "class token" : mark.replace(/[[\]<>]/g, ""));

/** The cell with the largest weight. @param {number[]} weights */
export const strongestCell = (weights) =>
  weights.reduce((best, weight, cell) => (weight > weights[best] ? cell : best), 0);

/** The cell where the keyboard begins: that with the largest weight, or the middle one of a map that is hidden. @param {{trace: {source: GridAxis}, weights: number[][], opacity: number}} scene @param {number} row */
export const firstCell = ({ trace: { source }, weights, opacity }, row) =>
  opacity
    ? strongestCell(weights[row])
    : (source.rows >> 1) * source.columns + (source.columns >> 1);

/** @param {number} band @param {number} side */
function named(band, side) {
  if (band === 1 && side === 1) return "middle";
  if (side === 1) return band === 0 ? "top" : "bottom";
  if (band === 1) return SIDES[side];
  return `${BANDS[band]} ${SIDES[side]}`;
}

/** @param {number} value @param {number} count */
const within = (value, count) => Math.min(Math.max(value, 0), count - 1);

/** @param {number} a @param {number} b @returns {[number, number]} */
const ordered = (a, b) => (a < b ? [a, b] : [b, a]);
