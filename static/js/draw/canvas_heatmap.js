/**
 * Paints the map without Plotly, in a standalone file, where it replaces `plotly.js`: the same
 * map and the same events in a few kilobytes instead of a megabyte.
 */

/** @import {CellMap, PlotElement} from "./plotly.js" */

import { pixels } from "./pixels.js";

/** @typedef {{x: number, y: number}} Cell */
/** @typedef {(event: {points: Cell[]}) => void} Listener */

/** The current map of an element, and its listeners. @type {WeakMap<HTMLElement, {map: CellMap, listeners: Map<string, Listener>}>} */
const plots = new WeakMap();

/** Does nothing: there is nothing to load. */
export const loadPlotly = () => Promise.resolve();

/** @param {HTMLElement} at @param {CellMap} map @returns {Promise<PlotElement>} */
export async function paintMap(at, map) {
  const before = plots.get(at);
  plots.set(at, { map, listeners: before?.listeners ?? new Map() });
  at.replaceChildren(pixels({ ...sizeOf(map), ...map }));
  if (!before) listen(at);
  return Object.assign(at, {
    on: (/** @type {string} */ name, /** @type {Listener} */ call) =>
      plots.get(at)?.listeners.set(name, call),
  });
}

/** @param {CellMap} map */
const sizeOf = ({ positions }) => ({ rows: positions.length, columns: positions[0]?.length ?? 0 });

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
  const map = plots.get(at)?.map;
  if (!map) return null;
  const { rows, columns } = sizeOf(map);
  const frame = at.getBoundingClientRect();
  const place = (/** @type {number} */ share, /** @type {number} */ count) =>
    Math.min(Math.max(Math.floor(share * count), 0), count - 1);
  const x = place((event.clientX - frame.left) / frame.width, columns);
  return {
    x: map.rtl ? columns - 1 - x : x,
    y: place((event.clientY - frame.top) / frame.height, rows),
  };
}
