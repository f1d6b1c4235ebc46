/**
 * Paints all heatmaps: weights to positions on the scale and to colours. Page, thumbnails,
 * SVG, PNG, GIF and the standalone file all take their cells from here. Pure.
 */

/** @import {CellSize, Figure, Palette, Scale, View} from "./types" */

import { colour, divergent, plotlyScale } from "./colours.js";

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
 * @returns {Heatmap & {most: number}}
 */
export function differenceOf(values, palette, counts = () => true) {
  const scaled = values.flatMap((row, i) => row.filter((_, j) => counts(i, j)));
  const most = Math.max(0.01, ...scaled.map(Math.abs));
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

/** @param {number} count @param {boolean} reversed */
export const range = (count, reversed) => (reversed ? [count - 0.5, -0.5] : [-0.5, count - 0.5]);

/**
 * The map as Plotly takes it, edge to edge: its headings are HTML, which can stick, wrap and be read
 * aloud. Integer axes keep words with the same spelling apart; rows run from the top down, and the
 * columns of a right-to-left text from the right. No gaps between the cells, for which Plotly would
 * paint every pixel: the page draws a grid over them.
 * @param {View} view
 * @param {{scale: Scale, log: boolean, palette: Palette, cell: CellSize, rtl: boolean}} how
 * @returns {Figure}
 */
export function heatmapFigure(view, { scale, log, palette, cell, rtl }) {
  const axis = { visible: false, fixedrange: true };
  const heat = {
    type: "heatmap",
    z: positions(view.weights ?? [], scale, log),
    x: view.columns.map((_, index) => index),
    y: view.rows.map((_, index) => index),
    zmin: 0,
    zmax: 1,
    zsmooth: false,
    colorscale: plotlyScale(palette),
    showscale: false,
    hoverinfo: "none",
  };
  return {
    data: [heat],
    layout: {
      width: view.columns.length * cell.width,
      height: view.rows.length * cell.height,
      margin: { l: 0, r: 0, t: 0, b: 0, pad: 0 },
      xaxis: { ...axis, range: range(view.columns.length, rtl) },
      yaxis: { ...axis, range: range(view.rows.length, true) },
      dragmode: false,
      hovermode: "closest",
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
    },
  };
}
