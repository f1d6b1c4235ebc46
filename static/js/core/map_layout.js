/** The size of the cells of a map, and the layout of its headings. Pure; the function that measures text is a parameter. */

/** @import {CellSize, Item, View} from "./types" */

import { heading } from "./text.js";

/** Widths of a cell. Headings of at most this width stand level over narrow cells. */
const SHORT = 24;
const NARROWEST = { short: 14, slanted: 18 };
const WIDEST = { short: 56, word: 128 };
/** Words wider than this are cut off in a level heading. */
const LONGEST = 88;
const ROW = { lowest: 18, highest: 30 };
const TIGHT = 1;
const LOOSE = 16;
/** Special tokens are smaller than words (heed.css), and their brackets may overlap the edge. */
const MARK = 0.52;
const LEVEL_HEIGHT = 34;
/** Slanted headings: their largest length (page.css), and the parts of it that go up and to the right. */
const SLANT = { longest: 128, up: 0.75, right: 0.67 };
/** Share of a cell before the foot of its slanted heading. */
const FOOT = 0.6;
/** The smallest cell that holds a number of two decimals. */
const NUMBER = { width: 28, height: 16 };

/**
 * @typedef {object} MapLayout
 * @property {CellSize} cell
 * @property {boolean} slanted whether the columns' headings are slanted
 * @property {number} headHeight of the strip above the map
 * @property {number} headWidth of the strip beside it
 * @property {number} overhang width of the headings beyond the last column
 * @property {boolean} narrow whether a special token stands upright over its column
 * @property {boolean} numbered whether a number fits into each cell
 */

/**
 * Cells fill the room between their smallest and largest size, so that a map shrinks before it
 * scrolls. Headings are level where they fit, else slanted.
 * @param {View} view @param {number} room width of the box
 * @param {(text: string) => number} measure width of a text in a heading
 * @param {number} [height] of the box
 * @returns {MapLayout}
 */
export function mapLayout(view, room, measure, height = Infinity) {
  const width = (/** @type {Item} */ item) =>
    measure(heading(item).text) * (item.special ? MARK : 1);
  const widest = (/** @type {number[]} */ widths) => Math.ceil(Math.max(0, ...widths));
  const labels = view.columns.map(width);
  const words = widest(labels.filter((_, column) => !view.columns[column].special));
  const label = widest(labels);
  const margin = widest(view.rows.map(width)) + LOOSE + 10;
  const headWidth = Math.min(Math.max(margin, 66), room < 560 ? 92 : 168);
  const { slanted, ...columns } = columnsOf(labels, words, room - headWidth);
  const headHeight = slanted ? Math.min(Math.ceil(label * SLANT.up), 96) + 26 : LEVEL_HEIGHT;
  const share = Math.floor((height - headHeight) / Math.max(view.rows.length, 1));
  const cell = {
    width: columns.width,
    height: Math.min(Math.max(share, ROW.lowest), ROW.highest),
  };
  return {
    cell,
    slanted,
    headHeight,
    headWidth,
    overhang: columns.overhang,
    narrow: !slanted && cell.width < SHORT,
    numbered: cell.width >= NUMBER.width && cell.height >= NUMBER.height,
  };
}

/**
 * The width of the columns. It has no jump where the headings turn.
 * @param {number[]} labels widths of the headings @param {number} words width of the widest that is no special token @param {number} room
 */
function columnsOf(labels, words, room) {
  const count = Math.max(labels.length, 1);
  const label = Math.ceil(Math.max(0, ...labels));
  const share = Math.floor(room / count);
  if (label <= SHORT) {
    const narrowest = Math.max(NARROWEST.short, words + TIGHT);
    const width = Math.max(narrowest, Math.min(share, WIDEST.short));
    return { width, slanted: false, overhang: 0 };
  }
  const level = Math.min(label, LONGEST) + LOOSE;
  if (share >= level) return { width: Math.min(share, WIDEST.word), slanted: false, overhang: 0 };
  const inner = Math.floor((room - overhangOf(labels, share)) / count);
  const width = Math.max(NARROWEST.slanted, inner);
  return { width, slanted: true, overhang: overhangOf(labels, width) };
}

/** The width of slanted headings beyond the last column. @param {number[]} labels @param {number} width of a column */
function overhangOf(labels, width) {
  const beyond = labels.map(
    (label, column) =>
      (column + FOOT - labels.length) * width + Math.min(label, SLANT.longest) * SLANT.right,
  );
  return Math.ceil(Math.max(0, ...beyond));
}
