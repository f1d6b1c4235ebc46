/**
 * The layout of one sentence with arcs between its words. Pure.
 *
 * The words stand on a line, or below each other where the line has no room for them. Arcs to words
 * before the current one are above the line, or to the left; arcs to words after it are below, or
 * to the right.
 */

/** @import {Item, View} from "../../core/types" */

import { direction, heading } from "../../core/text.js";
import { round } from "../../draw/marks.js";

/** Width of an arc of weight 1, and of the thinnest. */
const FULL = 7;
const THINNEST = 1;
/** Space between words, and the least of a word: that of a weight of two digits. */
const GAP = 14;
const WIDE_GAP = 34;
const NARROWEST = 28;
/** Height of a line of words, of the weights below it, and of a word in a column. */
const LINE = 26;
const NUMBERS = 18;
const TALL = 30;
/** Height of a word in a column that is fitted, and that from which on all words have room. */
const FITTED = { least: 2, named: 14 };
/** The farthest that arcs reach: from a line, where there is little room, and from a column. */
const REACH = { line: 210, least: 48, column: { least: 56, most: 260 } };
/** Width of the weights in a column. */
const BESIDE = 40;
const MOST_LETTERS = 24;
/** Longer arcs reach farther, but less than in proportion. */
const FLATTER = 0.7;
/** Weights of the current word are listed from here on. */
export const LISTED = 0.01;
/** Only so many of the strongest arcs are drawn: more could not be distinguished. */
export const MOST_ARCS = 1500;

/**
 * @typedef {object} Point a word on the drawing
 * @property {string} text @property {"mark" | "blank" | null} quiet
 * @property {Item} item @property {number | null} row of the map; null for the start
 * @property {number | null} column of the map; null for the end
 * @property {number} x @property {number} y the anchor of its text
 * @property {number} wide
 *
 * @typedef {{row: number, column: number, weight: number}} Arc
 *
 * @typedef {object} Drawing
 * @property {number} width @property {number} height
 * @property {boolean} across true if the words stand on a line
 * @property {number} [tall] height of a word in a column
 * @property {boolean} [dense] true if only a few words have room
 * @property {Point[]} points
 * @property {(arc: Arc) => string} path
 * @property {(arc: Arc) => Point} numberOf the word whose weight it is
 * @property {{x: number, y: number}} numbers the place of a weight, from the place of its word
 */

/** The width of an arc. @param {number} weight */
export const widthOf = (weight) => Math.max(THINNEST, weight * FULL);

/** Words have the same places on both axes, but for the start, which is no row. @param {View} view */
const shiftOf = ({ columnAxis }) => (columnAxis === "decoder_input" ? 1 : 0);

/** The words in their order, each once. @param {View} view */
export function wordsOf(view) {
  const { rows, columns } = view;
  const shift = shiftOf(view);
  const items = shift ? [...columns.slice(0, 1), ...rows] : rows;
  return items.map((item, place) => ({
    item,
    row: place < shift ? null : place - shift,
    column: place < columns.length ? place : null,
  }));
}

/** The strongest arcs of all rows that reach a weight, the weakest first. @param {View} view @param {number} least @returns {Arc[]} */
export function arcsOf({ weights }, least) {
  const arcs = (weights ?? []).flatMap((values, row) =>
    values.flatMap((weight, column) => (weight >= least ? [{ row, column, weight }] : [])),
  );
  return arcs.sort((a, b) => a.weight - b.weight).slice(-MOST_ARCS);
}

/** The arcs of one row, the weakest first. @param {View} view @param {number} row @returns {Arc[]} */
export function arcsFrom({ weights }, row) {
  const arcs = (weights?.[row] ?? []).flatMap((weight, column) =>
    weight >= LISTED ? [{ row, column, weight }] : [],
  );
  return arcs.sort((a, b) => a.weight - b.weight);
}

/**
 * @param {View} view
 * @param {{room: number, height?: number, fits?: boolean, measure: (text: string) => number}} how `height`: the most that arcs on a line take, with their words, and those in a column that `fits`
 * @returns {Drawing}
 */
export function layOut(view, { room, height = Infinity, fits = false, measure }) {
  const shift = shiftOf(view);
  const words = wordsOf(view).map((word) => {
    const { text, quiet } = heading(word.item);
    const shown = shortened(text, MOST_LETTERS);
    return { ...word, text: shown, quiet, wide: Math.ceil(measure(shown)) };
  });
  const reaches = reachesOf(view, shift);
  const needed = words.reduce((sum, { wide }) => sum + Math.max(wide, NARROWEST) + GAP, 0);
  const placed =
    needed <= room
      ? onLine(words, reaches, { room, height }, direction(view.rowText) === "rtl")
      : inColumn(words, reaches, { room, height: fits ? height : Infinity, measure });
  return {
    ...placed,
    path: ({ row, column }) => placed.between(row + shift, column),
    numberOf: ({ column }) => placed.points[column],
  };
}

/** @param {string} text @param {number} most */
function shortened(text, most) {
  const letters = Array.from(text);
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
}

/** How far arcs reach back and ahead, in words. @param {View} view @param {number} shift */
function reachesOf({ weights }, shift) {
  let [back, ahead] = [0, 0];
  for (const [row, values] of (weights ?? []).entries())
    for (const [column, weight] of values.entries()) {
      if (weight < LISTED) continue;
      back = Math.max(back, row + shift - column);
      ahead = Math.max(ahead, column - row - shift);
    }
  return { back, ahead };
}

/**
 * @typedef {Omit<Point, "x" | "y">} Word
 * @typedef {{back: number, ahead: number}} Reaches
 * @typedef {Omit<Drawing, "path" | "numberOf"> & {between: (from: number, to: number) => string}} Placed
 */

/** The reach of an arc between two places. @param {number} apart @param {number} longest @param {number} most */
const bulge = (apart, longest, most) =>
  Math.min(apart / 2, most * (apart / Math.max(longest, 1)) ** FLATTER);

/** @param {Word[]} words @param {Reaches} reaches @param {{room: number, height: number}} how @param {boolean} rtl @returns {Placed} */
function onLine(words, { back, ahead }, { room, height }, rtl) {
  const spaces = words.map(({ wide }) => Math.max(wide, NARROWEST));
  const total = spaces.reduce((sum, each) => sum + each, 0);
  const gap = Math.min(WIDE_GAP, (room - total) / Math.max(words.length, 1));
  const width = total + gap * words.length;
  let at = 0;
  const middles = spaces.map((space) => {
    const middle = at + (space + gap) / 2;
    at += space + gap;
    return rtl ? width - middle : middle;
  });
  const farthest = (/** @type {number} */ reach) =>
    Math.max(
      0,
      ...middles.flatMap((middle, place) =>
        place >= reach ? [Math.abs(middle - middles[place - reach])] : [],
      ),
    );
  const longest = Math.max(back && farthest(back), ahead && farthest(ahead));
  const sides = back && ahead ? 2 : 1;
  const share = (height - LINE - NUMBERS) / sides - 2 * FULL;
  const most = Math.min(REACH.line, longest / 2, Math.max(share, REACH.least));
  const above = back ? bulge(farthest(back), longest, most) + FULL : FULL * 2;
  const below = ahead ? bulge(farthest(ahead), longest, most) + FULL : 0;
  const y = above + LINE - 8;
  const points = words.map((word, place) => ({ ...word, x: middles[place], y }));
  const [top, bottom] = [above, above + LINE + NUMBERS];
  return {
    width,
    height: bottom + below,
    across: true,
    points,
    numbers: { x: 0, y: NUMBERS - 2 },
    between: (from, to) => {
      if (from === to) return loop(middles[from], top, true);
      const [left, right] = [middles[from], middles[to]].sort((a, b) => a - b);
      const apart = right - left;
      const over = to < from;
      const edge = over ? top : bottom;
      const curve = `A${round(apart / 2)} ${round(bulge(apart, longest, most))} 0 0 ${over ? 1 : 0}`;
      return `M${round(left)} ${round(edge)}${curve} ${round(right)} ${round(edge)}`;
    },
  };
}

/** @param {Word[]} words @param {Reaches} reaches @param {{room: number, height: number, measure: (text: string) => number}} how @returns {Placed} */
function inColumn(words, { back, ahead }, { room, height, measure }) {
  const tall = Math.min(TALL, Math.max(height / words.length, FITTED.least));
  const sides = ahead ? 2 : 1;
  const most = room - BESIDE - GAP - sides * REACH.column.least;
  const names = words.map((word) => {
    let { text, wide } = word;
    for (let letters = MOST_LETTERS - 1; wide > most && letters > 2; letters--) {
      text = shortened(word.text, letters);
      wide = Math.ceil(measure(text));
    }
    return { ...word, text, wide };
  });
  const widest = Math.max(...names.map(({ wide }) => wide), 0);
  const left = Math.min(
    Math.max((room - BESIDE - GAP - widest) / sides, REACH.column.least),
    REACH.column.most,
  );
  const right = left + GAP + widest + BESIDE;
  const longest = Math.max(back, ahead) * tall;
  const reach = left - FULL;
  const points = names.map((word, place) => ({
    ...word,
    x: left + GAP / 2,
    y: (place + 0.5) * tall,
  }));
  return {
    width: right + (ahead ? left : 0),
    height: words.length * tall,
    across: false,
    tall,
    dense: tall < FITTED.named,
    points,
    numbers: { x: GAP / 2 + widest, y: 0 },
    between: (from, to) => {
      const [upper, lower] = [from, to].sort((a, b) => a - b).map((place) => points[place].y);
      if (from === to) return loop(left, upper, false);
      const apart = lower - upper;
      const before = to < from;
      const edge = before ? left : right;
      const curve = `A${round(bulge(apart, longest, reach))} ${round(apart / 2)} 0 0 ${before ? 0 : 1}`;
      return `M${round(edge)} ${round(upper)}${curve} ${round(edge)} ${round(lower)}`;
    },
  };
}

/** The arc of a word to itself. @param {number} x @param {number} y @param {boolean} across */
const loop = (x, y, across) =>
  across
    ? `M${round(x - 5)} ${round(y)}a5 6 0 1 1 10 0`
    : `M${round(x)} ${round(y - 5)}a6 5 0 1 0 0 10`;
