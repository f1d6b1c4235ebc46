/** The complete figure, with headings and a colour bar of Plotly's own, to be saved. Pure. */

/** @import {CellSize, Figure, Item, Palette, Scale, View} from "./types" */

import { DECADES, heat, largest, range } from "./figures.js";
import { heading } from "./text.js";

/** About the width of a letter. */
const GLYPH = 9;

/** Plotly reads a little HTML in its texts; a user's text is none. @param {string} text */
export function escaped(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/**
 * The complete figure, labelled, to be saved as a picture.
 * @param {View} view
 * @param {{scale: Scale, log: boolean, palette: Palette, cell: CellSize, rtl: boolean, title: string}} how
 * @returns {Figure}
 */
export function labelled(view, { scale, log, palette, cell, rtl, title }) {
  const [rows, columns] = [texts(view.rows), texts(view.columns)];
  const slanted = longest(columns) * GLYPH > cell.width;
  const margin = {
    l: 56 + Math.min(160, longest(rows) * GLYPH),
    r: 132,
    t: 92 + (slanted ? Math.min(120, longest(columns) * 7) : 16),
    b: 24,
  };
  const [inner, height] = [view.columns.length * cell.width, view.rows.length * cell.height];
  const width = Math.max(margin.l + margin.r + inner, 420);
  margin.r = width - margin.l - inner;
  const axis = { fixedrange: true, showgrid: false, zeroline: false, ticks: "", ticklabelstandoff: 5, color: palette.ink };
  const named = (/** @type {string} */ text) => ({ text, font: { size: 12, color: palette.soft }, standoff: 10 });
  return {
    data: [{ ...heat(view, scale, log, palette), showscale: true, colorbar: colorbar(view, scale, log, height) }],
    layout: {
      width,
      height: margin.t + margin.b + height,
      margin,
      title: {
        text: escaped(shortened(title, Math.floor(width / 9))),
        ...{ x: 0, xref: "container", xanchor: "left", y: 1, yref: "container", yanchor: "top" },
        pad: { l: 16, t: 18 },
        font: { size: 15 },
      },
      font: { family: "system-ui, sans-serif", size: 13, color: palette.ink },
      xaxis: {
        ...axis,
        side: "top",
        range: range(columns.length, rtl),
        tickvals: columns.map((_, index) => index),
        ticktext: columns,
        tickangle: slanted ? -60 : 0,
        title: named(rtl ? "← what was read" : "what was read →"),
      },
      yaxis: {
        ...axis,
        range: range(rows.length, true),
        tickvals: rows.map((_, index) => index),
        ticktext: rows,
        title: named("← what was written"),
      },
      paper_bgcolor: palette.stops[0],
      plot_bgcolor: palette.line,
    },
  };
}

/** Says what the strongest colour stands for. @param {View} view @param {Scale} scale @param {boolean} log @param {number} height */
function colorbar(view, scale, log, height) {
  const top = scale === "row" ? "row’s largest" : largest(view.weights ?? []).toFixed(2);
  const bar = { thickness: 12, outlinewidth: 0, len: Math.min(height, 220), lenmode: "pixels" };
  const bottom = log ? `< 1/${10 ** DECADES} of it` : "0";
  return { ...bar, title: { text: log ? "α, log" : "α" }, tickvals: [0, 1], ticktext: [bottom, top] };
}

/** @param {Item[]} items */
const texts = (items) => items.map((item) => escaped(shortened(heading(item).text)));

/** @param {string[]} labels */
const longest = (labels) => Math.max(1, ...labels.map((label) => label.length));

/** @param {string} text @param {number} [most] */
function shortened(text, most = 24) {
  const characters = Array.from(text);
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : text;
}
