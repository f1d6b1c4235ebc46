/** Figures as Plotly takes them. Pure: a view in, {data, layout} out; no DOM, no Plotly. */

/** @import {CellSize, Figure, Palette, Scale, View} from "./types" */

import { plotlyScale } from "./colours.js";

/** @param {number[][]} weights the largest of all */
export function largest(weights) {
  return weights.reduce((top, row) => row.reduce((a, b) => Math.max(a, b), top), 0);
}

/** Powers of ten that the logarithmic scale spans, from the largest down. */
export const DECADES = 3;

/**
 * Weights as positions on the colour scale: by the largest of their row, or of the whole map; as
 * they are, or by their logarithm, which tells small weights apart.
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
 * What both figures share: integer axes, so that words spelled the same stay apart, and rows from
 * the top down. A text read from right to left has its columns in that order too. No gaps between the
 * cells, for which Plotly would paint every point of the screen: the page lays its mesh over them.
 * @param {View} view @param {Scale} scale @param {boolean} log @param {Palette} palette
 */
export function heat(view, scale, log, palette) {
  const z = positions(view.weights ?? [], scale, log);
  return {
    type: "heatmap",
    z,
    x: view.columns.map((_, index) => index),
    y: view.rows.map((_, index) => index),
    zmin: 0,
    zmax: 1,
    zsmooth: false,
    colorscale: plotlyScale(palette),
  };
}

/** @param {number} count @param {boolean} reversed */
export const range = (count, reversed) => (reversed ? [count - 0.5, -0.5] : [-0.5, count - 0.5]);

/**
 * The map alone, edge to edge: its headings are HTML, which can stick, wrap and be read aloud.
 * @param {View} view @param {{scale: Scale, log: boolean, palette: Palette, cell: CellSize, rtl: boolean}} how
 * @returns {Figure}
 */
export function heatmap(view, { scale, log, palette, cell, rtl }) {
  const axis = { visible: false, fixedrange: true };
  return {
    data: [{ ...heat(view, scale, log, palette), showscale: false, hoverinfo: "none" }],
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
