/** The size of the cells of a map, and the layout of its headings. Pure; the measure of text is given. */

/** @import {CellSize, Item, View} from "./types" */

import { heading } from "./text.js";

const SMALLEST = 28;
const SLANTED = 36;
const WIDEST = 104;
const ROOMY = 56;
const ROW = 30;
const TIGHT = 4;
const LOOSE = 16;
/** Special tokens are set smaller than words (heed.css), and their brackets may reach over the edge. */
const MARK = 0.52;

/**
 * @typedef {object} MapLayout
 * @property {CellSize} cell
 * @property {boolean} slanted whether the columns' headings are slanted
 * @property {number} headHeight of the strip above the map
 * @property {number} headWidth of the strip beside it
 */

/**
 * Headings stand level where they fit, or where level columns do not make the map too wide for
 * its box; else they are slanted over narrow columns. Cells never shrink below a comfortable size,
 * and take the room there is up to a comfortable one.
 * @param {View} view @param {number} room width of the box
 * @param {(text: string) => number} measure width of a text in a heading
 * @returns {MapLayout}
 */
export function mapLayout(view, room, measure) {
  const width = (/** @type {Item} */ item) =>
    measure(heading(item).text) * (item.special ? MARK : 1);
  const widest = (/** @type {Item[]} */ items) => Math.ceil(Math.max(0, ...items.map(width)));
  const headWidth = Math.min(Math.max(widest(view.rows) + LOOSE + 10, 56), room < 560 ? 92 : 168);
  const label = widest(view.columns);
  const short = label + TIGHT <= SMALLEST;
  const level = short ? SMALLEST : Math.min(label + LOOSE, WIDEST);
  const share = Math.floor((room - headWidth) / Math.max(view.columns.length, 1));
  const slanted = !short && level > share;
  return {
    cell: {
      width: slanted ? SLANTED : Math.max(level, Math.min(share, short ? ROOMY : WIDEST)),
      height: ROW,
    },
    slanted,
    headHeight: slanted ? Math.min(Math.ceil(label * 0.75), 96) + 26 : 34,
    headWidth,
  };
}
