/** Figures as Plotly takes them. Pure: a view in, {data, layout} out; no DOM, no Plotly. */

/** @import {CellSize, Figure, Palette, Scale, View} from "./types" */

import { plotlyScale } from "./colours.js";

const GAP = 1;

/** @param {number[][]} weights the largest of all */
export function largest(weights) {
  return weights.reduce((top, row) => row.reduce((a, b) => Math.max(a, b), top), 0);
}

/**
 * Weights as positions on the colour scale: by the largest of their row, or of the whole map.
 * @param {number[][]} weights @param {Scale} scale @returns {number[][]}
 */
export function positions(weights, scale) {
  const whole = largest(weights) || 1;
  return weights.map((row) => {
    const top = scale === "row" ? Math.max(...row, 0) || 1 : whole;
    return row.map((value) => value / top);
  });
}

/**
 * What both figures share: integer axes, so that words spelled the same stay apart, and rows from
 * the top down. A text read from right to left has its columns in that order too.
 * @param {View} view @param {Scale} scale @param {Palette} palette
 */
export function heat(view, scale, palette) {
  const z = positions(view.weights ?? [], scale);
  return {
    type: "heatmap",
    z,
    x: view.columns.map((_, index) => index),
    y: view.rows.map((_, index) => index),
    zmin: 0,
    zmax: 1,
    zsmooth: false,
    xgap: GAP,
    ygap: GAP,
    colorscale: plotlyScale(palette),
  };
}

/** @param {number} count @param {boolean} reversed */
export const range = (count, reversed) => (reversed ? [count - 0.5, -0.5] : [-0.5, count - 0.5]);

/**
 * The map alone, edge to edge: its headings are HTML, which can stick, wrap and be read aloud.
 * @param {View} view @param {{scale: Scale, palette: Palette, cell: CellSize, rtl: boolean}} how
 * @returns {Figure}
 */
export function heatmap(view, { scale, palette, cell, rtl }) {
  const axis = { visible: false, fixedrange: true };
  return {
    data: [{ ...heat(view, scale, palette), showscale: false, hoverinfo: "none" }],
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
