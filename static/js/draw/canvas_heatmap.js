/**
 * Paints the map without Plotly, in a standalone file, where it replaces `plotly.js`: the same
 * figure and the same events in a few kilobytes instead of a megabyte.
 */

/** @import {Figure} from "../core/types" */
/** @import {PlotElement} from "./plotly.js" */

import { pixels } from "./raster.js";

/** @typedef {{z: number[][], colorscale: [number, string][]}} Heat */
/** @typedef {{width: number, height: number, xaxis: {range: number[]}, yaxis: {range: number[]}}} Layout */
/** @typedef {{x: number, y: number}} Cell */
/** @typedef {(event: {points: Cell[]}) => void} Listener */

/** The current figure of an element, and its listeners. @type {WeakMap<HTMLElement, {heat: Heat, layout: Layout, listeners: Map<string, Listener>}>} */
const plots = new WeakMap();

/** Does nothing: there is nothing to load. */
export const loadPlotly = () => Promise.resolve();

/** @param {HTMLElement} at @param {Figure} figure @returns {Promise<PlotElement>} */
export async function paint(at, { data, layout }) {
  const heat = /** @type {Heat} */ (/** @type {unknown} */ (data[0]));
  const size = /** @type {Layout} */ (/** @type {unknown} */ (layout));
  const before = plots.get(at);
  plots.set(at, { heat, layout: size, listeners: before?.listeners ?? new Map() });
  at.replaceChildren(canvasOf(heat, size));
  if (!before) listen(at);
  return Object.assign(at, {
    on: (/** @type {string} */ name, /** @type {Listener} */ call) =>
      plots.get(at)?.listeners.set(name, call),
  });
}

/** @param {Heat} heat @param {Layout} layout */
const canvasOf = ({ z, colorscale }, { xaxis }) =>
  pixels({
    rows: z.length,
    columns: z[0]?.length ?? 0,
    colourAt: (row, column) => shade(colorscale, z[row][column]),
    rtl: reversed(xaxis),
  });

/** @param {{range: number[]}} axis */
const reversed = ({ range }) => range[0] > range[1];

/** Interpolates the scale as Plotly does. @param {[number, string][]} scale @param {number} value */
function shade(scale, value) {
  const place = Math.min(1, Math.max(0, value)) * (scale.length - 1);
  const below = Math.min(Math.floor(place), scale.length - 2);
  const channel = (/** @type {number} */ step, /** @type {number} */ at) =>
    parseInt(scale[step][1].slice(at, at + 2), 16);
  const mixed = [1, 3, 5].map((at) =>
    Math.round(
      channel(below, at) + (channel(below + 1, at) - channel(below, at)) * (place - below),
    ),
  );
  return `rgb(${mixed.join(" ")})`;
}

/** @param {HTMLElement} at */
function listen(at) {
  const emit = (/** @type {string} */ name, /** @type {Cell[]} */ points) =>
    plots.get(at)?.listeners.get(name)?.({ points });
  /** @type {Cell | null} */
  let over = null;
  at.addEventListener("pointermove", (event) => {
    const cell = cellAt(at, event);
    if (!cell || event.pointerType !== "mouse" || (cell.x === over?.x && cell.y === over.y)) return;
    over = cell;
    emit("plotly_hover", [cell]);
  });
  at.addEventListener("pointerleave", () => {
    if (over) emit("plotly_unhover", []);
    over = null;
  });
  at.addEventListener("click", (event) => {
    const cell = cellAt(at, event);
    if (cell) emit("plotly_click", [cell]);
  });
}

/** @param {HTMLElement} at @param {MouseEvent} event @returns {Cell | null} */
function cellAt(at, event) {
  const plot = plots.get(at);
  const rows = plot?.heat.z.length ?? 0;
  const columns = plot?.heat.z[0]?.length ?? 0;
  if (!plot || !columns) return null;
  const frame = at.getBoundingClientRect();
  const place = (/** @type {number} */ share, /** @type {number} */ count) =>
    Math.min(Math.max(Math.floor(share * count), 0), count - 1);
  const x = place((event.clientX - frame.left) / frame.width, columns);
  return {
    x: reversed(plot.layout.xaxis) ? columns - 1 - x : x,
    y: place((event.clientY - frame.top) / frame.height, rows),
  };
}
