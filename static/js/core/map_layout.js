/** The layout of a map: the size of its cells, and the place of its headings. The page and paper have the same, in sizes of their own. Pure; the function that measures a heading is a parameter. */

/** @import {CellSize, Item, MapSize, View} from "./types" */

/**
 * @typedef {object} MapSizes
 * @property {boolean} whole true if cells are whole pixels
 * @property {{upTo: number, gap: number, least: number, most: number}} short headings of at most `upTo`, which stand level over narrow cells
 * @property {{longest: number, gap: number, spare: number, least: number, most: number}} level words over cells that hold them, and at most so much to spare
 * @property {{least: number, most: number, longest: number, up: number, right: number, foot: number | null}} slanted narrow cells: the parts of a heading's length that go up and to the right, and the share of a cell before its foot; null if every heading has room beyond the last column
 * @property {{level: number, slanted: number, most: number}} head height of the strip above the map: of slanted headings the room beside them, and their greatest height
 * @property {{gap: number, least: number, narrow: number, most: number}} side width of the strip beside the map, where there is little room and where there is enough
 * @property {{lowest: number, highest: number, together?: number, tight?: number}} rows their heights, and that of all of them; `tight`: the lowest of a map that is whole with it
 * @property {CellSize} number the smallest cell that holds a number of two decimals
 *
 * @typedef {object} MapLayout
 * @property {CellSize} cell
 * @property {boolean} slanted whether the columns' headings are slanted
 * @property {number} headHeight of the strip above the map
 * @property {number} headWidth of the strip beside it
 * @property {number} overhang width of the headings beyond the last column
 * @property {boolean} narrow whether a special token stands upright over its column
 * @property {boolean} numbered whether a number fits into each cell
 */

/** Those of the page (page.css has the length of a slanted heading, too). @type {MapSizes} */
export const SCREEN = {
  whole: true,
  short: { upTo: 24, gap: 1, least: 14, most: 56 },
  level: { longest: 88, gap: 16, spare: Infinity, least: 0, most: 128 },
  slanted: { least: 18, most: Infinity, longest: 128, up: 0.75, right: 0.67, foot: 0.6 },
  head: { level: 34, slanted: 26, most: 96 },
  side: { gap: 26, least: 66, narrow: 92, most: 168 },
  rows: { lowest: 18, tight: 14, highest: 30 },
  number: { width: 28, height: 16 },
};

/** Below this room the page has little for headings of rows. */
const NARROW = 560;

/**
 * Cells fill the room between their smallest and largest size, so that a map shrinks before it
 * scrolls. Headings are level where they fit, else slanted.
 * @param {View} view
 * @param {(item: Item, axis: "row" | "column") => number} widthOf the width of a heading
 * @param {{room: number, height?: number, sizes?: MapSizes}} how `room`: the width of the box, `height`: its height
 * @returns {MapLayout}
 */
export function mapLayout(view, widthOf, { room, height = Infinity, sizes = SCREEN }) {
  const { side, short, number } = sizes;
  const labels = view.columns.map((item) => widthOf(item, "column"));
  const words = widest(labels.filter((_, column) => !view.columns[column]?.special));
  const margin = widest(view.rows.map((item) => widthOf(item, "row"))) + side.gap;
  const headWidth = Math.min(Math.max(margin, side.least), room < NARROW ? side.narrow : side.most);
  const { slanted, width, overhang } = columnsOf(labels, words, room - headWidth, sizes);
  const headHeight = headHeightOf([widest(labels)], slanted, sizes);
  const cell = { width, height: rowHeight(view.rows.length, sizes, height - headHeight) };
  return {
    cell,
    slanted,
    headHeight,
    headWidth,
    overhang,
    narrow: !slanted && cell.width < short.upTo,
    numbered: cell.width >= number.width && cell.height >= number.height,
  };
}

/** From so many rows or columns on, a map can be fitted. */
const FEWEST_FITTED = 10;
/** Cells of a fitted map, those that are whole pixels, those in which all rows have their names, its headings, the room beside them, and the height below which the page scrolls instead, in pixels. */
const FITTED = { least: 1, whole: 4, named: 12, most: 30, head: 72, overhang: 24, height: 180 };
/** Smaller cells are a multiple of what a browser lays out. */
const PARTS = 64;
/** A map of more rows for each column than this, or the other way round, would be a line. */
const OBLONG = 4;

/** Returns true for a map that may be larger than the first screen. @param {View} view */
export const isLong = ({ rows, columns }) => Math.max(rows.length, columns.length) >= FEWEST_FITTED;

/** Returns true if a fitted map has room for the name of each row. @param {Pick<MapLayout, "cell">} layout */
export const hasNames = ({ cell }) => cell.height >= FITTED.named;

/**
 * The layout of a map that is whole in its room: square cells, and room for one heading.
 * @param {MapLayout} layout @param {View} view @param {{room: number, height: number}} how @returns {MapLayout}
 */
export function fitted(layout, { rows, columns }, { room, height }) {
  const headHeight = Math.min(layout.headHeight, FITTED.head);
  const side = Math.min(
    (room - layout.headWidth - FITTED.overhang) / columns.length,
    (Math.max(height, FITTED.height) - headHeight) / rows.length,
  );
  const exact = side < FITTED.whole ? Math.floor(side * PARTS) / PARTS : Math.floor(side);
  const size = Math.min(Math.max(exact, FITTED.least), FITTED.most);
  return {
    ...layout,
    cell: { width: size, height: size },
    slanted: true,
    headHeight,
    overhang: FITTED.overhang,
    narrow: false,
    numbered: false,
  };
}

/** Returns true for a layout that is larger than its room. @param {MapLayout} layout @param {View} view @param {{room: number, height: number}} how */
export const isLarger = ({ cell, headWidth, headHeight, overhang }, { rows, columns }, how) =>
  headWidth + cell.width * columns.length + overhang > how.room ||
  headHeight + cell.height * rows.length > how.height;

/**
 * The layout of a map in its room. A long one that is larger is fitted, unless it is to be readable.
 * @param {MapLayout} layout @param {View} view @param {{room: number, height: number}} how @param {MapSize | null} size
 */
export function sized(layout, view, how, size) {
  const larger = isLarger(layout, view, how);
  const [one, other] = [view.rows.length, view.columns.length];
  const line = Math.max(one, other) > OBLONG * Math.min(one, other);
  const fits = size === "fit" || (size === null && larger && !line);
  return isLong(view) && fits ? fitted(layout, view, how) : layout;
}

/** The height of headings of these lengths. @param {number[]} lengths @param {boolean} slanted @param {MapSizes} sizes */
export const headHeightOf = (lengths, slanted, { head, slanted: { up } }) =>
  slanted
    ? Math.min(Math.ceil(Math.max(0, ...lengths) * up), head.most) + head.slanted
    : head.level;

/** The height of so many rows in this room. @param {number} count @param {MapSizes} sizes @param {number} [room] */
export function rowHeight(count, { rows, whole }, room = Infinity) {
  const exact = (rows.together ?? room) / Math.max(count, 1);
  const share = whole ? Math.floor(exact) : exact;
  return Math.min(share < (rows.tight ?? rows.lowest) ? rows.lowest : share, rows.highest);
}

/** @param {number[]} widths */
const widest = (widths) => Math.ceil(Math.max(0, ...widths));

/**
 * The width of the columns. It has no jump where the headings turn.
 * @param {number[]} labels widths of the headings @param {number} words width of the widest that is no special token
 * @param {number} room @param {MapSizes} sizes
 */
function columnsOf(labels, words, room, { short, level, slanted, whole }) {
  const count = Math.max(labels.length, 1);
  const label = widest(labels);
  const shared = (/** @type {number} */ width) =>
    whole ? Math.floor(width / count) : width / count;
  const share = shared(room);
  if (label <= short.upTo) {
    const narrowest = Math.max(short.least, words + short.gap);
    const width = Math.max(narrowest, Math.min(share, short.most));
    return { width, slanted: false, overhang: 0 };
  }
  const wanted = Math.min(label, level.longest) + level.gap;
  if (share >= wanted) {
    const most = Math.max(Math.min(label + level.spare, level.most), level.least);
    return { width: Math.max(wanted, Math.min(share, most)), slanted: false, overhang: 0 };
  }
  const inner = shared(room - overhangOf(labels, share, slanted));
  const width = Math.min(Math.max(slanted.least, inner), slanted.most);
  return { width, slanted: true, overhang: overhangOf(labels, width, slanted) };
}

/** The width of slanted headings beyond the last column. @param {number[]} labels @param {number} width of a column @param {MapSizes["slanted"]} slanted */
function overhangOf(labels, width, { longest, right, foot }) {
  const beyond = labels.map((label, column) => {
    const before = foot === null ? 0 : (column + foot - labels.length) * width;
    return before + Math.min(label, longest) * right;
  });
  return Math.ceil(Math.max(0, ...beyond));
}
