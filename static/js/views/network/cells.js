/** Cells of many vectors side by side: all cells of one shade are one path, since a long text has thousands. Pure. */

/** @import {Look, Mark} from "../../draw/marks.js" */

import { divergent } from "../../core/colours.js";
import { rect, mark, round } from "../../draw/marks.js";

/** Shades on each side of zero. */
const SHADES = 12;

/** @typedef {{x: number, y: number, width: number, height: number}} Place `x`: its centre */
/** @typedef {Place & {value: number}} Cell `value`: its share of the strongest colour, with its sign */

/** The cells of a vector, from top to bottom. @param {number[] | null} values @param {Place} place @param {number} most value of the strongest colour @returns {Cell[]} */
export function cellsOf(values, { x, y, width, height }, most) {
  const tall = height / (values?.length || 1);
  return (values ?? []).map((value, index) => ({
    x,
    y: y + index * tall,
    width,
    height: tall + 0.3,
    value: value / most,
  }));
}

/** @param {Cell[]} cells @param {Look} look @returns {Mark[]} */
export function shaded(cells, look) {
  /** @type {Map<number, string>} */
  const paths = new Map();
  for (const { x, y, width, height, value } of cells) {
    const shade = Math.round(Math.min(1, Math.max(-1, value)) * SHADES);
    const [wide, tall] = [round(width), round(height)];
    const d = `M${round(x - width / 2)} ${round(y)}h${wide}v${tall}h-${wide}z`;
    paths.set(shade, (paths.get(shade) ?? "") + d);
  }
  return [...paths]
    .sort(([a], [b]) => a - b)
    .map(([shade, d]) => ({
      ...mark("path", { d, fill: divergent(look.palette, shade / SHADES) }),
      key: `shade:${shade}`,
    }));
}

/** The frame of a vector whose cells are drawn beneath it; a blank one if its numbers are unknown. @param {Place} place @param {boolean} known @param {Look} look @param {import("../../draw/marks.js").Attributes} [more] */
export const frameAround = ({ x, y, width, height }, known, look, more = {}) =>
  rect(x - width / 2, y, width, height, {
    rx: 2,
    fill: look.paper,
    "fill-opacity": known ? 0 : 1,
    stroke: look.edge,
    "stroke-width": 1,
    ...more,
  });
