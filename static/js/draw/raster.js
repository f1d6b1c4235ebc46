/** The cells of a map as marks. */

/** @import {Area, Mark} from "./marks.js" */

import { INK } from "./ink.js";
import { mark, number, rect } from "./marks.js";

/** Number of shades of a small map: more cannot be distinguished. */
const SHADES = 64;

/**
 * @typedef {object} Raster
 * @property {number} rows @property {number} columns
 * @property {(row: number, column: number) => string} colourAt
 * @property {boolean} [rtl] true if the columns run from right to left
 */

/** The raster of a small map, whose neighbouring cells often have one of few shades. @param {{positions: number[][], colourOf: (position: number) => string}} heat @param {boolean} [rtl] @returns {Raster} */
export const rasterOf = ({ positions, colourOf }, rtl) => ({
  rows: positions.length,
  columns: positions[0]?.length ?? 0,
  colourAt: (row, column) =>
    colourOf(Math.round((positions[row]?.[column] ?? 0) * SHADES) / SHADES),
  rtl,
});

/**
 * The cells as marks. Those as white as paper are omitted, as are most of most maps; without gaps, all
 * cells of one colour are one path, and neighbours one part of it: browsers and graphics programs open
 * the many cells of a large map slowly.
 * @param {Raster} raster @param {Area} cell the first @param {number} [gap] between cells @returns {Mark}
 */
export function cells({ rows, columns, colourAt, rtl = false }, { x, y, width, height }, gap = 0) {
  const marks = [];
  /** The parts of the path of each colour. @type {Map<string, string[]>} */
  const parts = new Map();
  for (let row = 0; row < rows; row++) {
    for (let place = 0, next = 1; place < columns; place = next, next++) {
      const colour = (/** @type {number} */ at) => colourAt(row, rtl ? columns - 1 - at : at);
      const fill = colour(place);
      if (!gap) while (next < columns && colour(next) === fill) next++;
      const [left, top] = [x + place * width + gap / 2, y + row * height + gap / 2];
      if (fill === INK.paper) continue;
      if (gap) marks.push(rect(left, top, width - gap, height - gap, { fill }));
      else {
        const wide = number((next - place) * width);
        const part = `M${number(left)} ${number(top)}h${wide}v${number(height)}h-${wide}z`;
        const known = parts.get(fill);
        if (known) known.push(part);
        else parts.set(fill, [part]);
      }
    }
  }
  for (const [fill, each] of parts) marks.push(mark("path", { d: each.join(""), fill }));
  return mark("g", { "shape-rendering": "crispEdges" }, marks);
}
