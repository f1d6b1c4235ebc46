/**
 * Paints all heatmaps: weights to positions on the scale and to colours. Page, thumbnails,
 * SVG, PNG, GIF and the standalone file all take their cells from here. Pure.
 */

/** @import {Palette, Scale} from "./types" */

import { colour, divergent } from "./colours.js";

/** Powers of ten that the logarithmic scale spans, from the largest down. */
export const DECADES = 3;

/** The largest weight. @param {number[][]} weights */
export function largest(weights) {
  return weights.reduce((top, row) => row.reduce((a, b) => Math.max(a, b), top), 0);
}

/**
 * Weights as positions on the colour scale: relative to the largest of their row, or of the whole
 * map; linear or logarithmic, which distinguishes small weights.
 * @param {number[][]} weights @param {Scale} scale @param {boolean} [log] @returns {number[][]}
 */
export function positions(weights, scale, log = false) {
  const whole = largest(weights) || 1;
  return weights.map((row) => {
    const top = scale === "row" ? Math.max(...row, 0) || 1 : whole;
    if (!log) return row.map((value) => value / top);
    return row.map((value) => (value > 0 ? Math.max(0, 1 + Math.log10(value / top) / DECADES) : 0));
  });
}

/**
 * @typedef {object} Heatmap
 * @property {number[][]} positions between 0 and 1; of a difference between -1 and 1
 * @property {(row: number, column: number) => string} colourAt of a cell
 * @property {(position: number) => string} colourOf of a position on the scale
 */

/**
 * The painted cells of a map.
 * @param {number[][]} weights @param {{scale: Scale, log: boolean, palette: Palette}} how @returns {Heatmap}
 */
export function heatmapOf(weights, { scale, log, palette }) {
  return painted(positions(weights, scale, log), (position) => colour(palette, position));
}

/**
 * The painted cells of a difference of two maps: the scale's own colour for more, a warm one for less.
 * @param {number[][]} values @param {Palette} palette
 * @param {(row: number, column: number) => boolean} [counts] false for cells that the scale leaves out
 * @param {number} [least] the end of the scale is at least this
 * @returns {Heatmap & {most: number}}
 */
export function differenceOf(values, palette, counts = () => true, least = 0.01) {
  const scaled = values.flatMap((row, i) => row.filter((_, j) => counts(i, j)));
  const most = Math.max(least, ...scaled.map(Math.abs));
  const made = painted(
    values.map((row) => row.map((value) => Math.max(-1, Math.min(1, value / most)))),
    (position) => divergent(palette, position),
  );
  return { ...made, most };
}

/** @param {number[][]} placed @param {(position: number) => string} colourOf @returns {Heatmap} */
function painted(placed, colourOf) {
  return { positions: placed, colourOf, colourAt: (row, column) => colourOf(placed[row][column]) };
}
