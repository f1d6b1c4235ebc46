/**
 * Two sentences with a ribbon for each strong weight. Pure: a view in, places out.
 *
 * A ribbon is as wide as its weight, at both ends, and ribbons stand side by side where they meet:
 * together those at an input word are as wide as its coverage, the sum of its column.
 */

/** @import {Item, View} from "../../core/types" */

import { direction, heading } from "../../core/text.js";

/** Width of a weight of 1. */
const FULL = 18;
/** Between words side by side, as the room allows, and around what arrives at them. */
const GAP = 14;
const WIDE_GAP = 40;
/** Of a line of words, and between words one below the other. */
const LINE = 30;
/** How far apart the sentences stand: one above the other, or side by side. */
const APART = 190;
const ASIDE = { least: 64, most: 320 };
/** Letters of a word that are shown. */
const MOST_LETTERS = 24;

/**
 * @typedef {object} Place a word on the drawing
 * @property {string} text @property {"mark" | "blank" | null} quiet
 * @property {number} x @property {number} y where its text is anchored
 * @property {number} from @property {number} to the stretch along its line that is its own
 * @property {number} total of the ribbons that are drawn from or to it
 *
 * @typedef {object} Ribbon
 * @property {number} row @property {number} column @property {number} weight @property {string} path
 *
 * @typedef {object} Drawing
 * @property {number} width @property {number} height
 * @property {boolean} across whether the sentences run from side to side, the one above the other
 * @property {Place[]} rows @property {Place[]} columns @property {Ribbon[]} ribbons
 */

/**
 * The places of the strongest weights that hold `mass` of the row between them.
 * @param {number[]} row @param {number} mass between 0 and 1
 */
export function strongestMass(row, mass) {
  const order = row.map((_, index) => index).sort((a, b) => row[b] - row[a] || a - b);
  const goal = mass * row.reduce((sum, value) => sum + value, 0) - 1e-9;
  const kept = [];
  let held = 0;
  for (const index of order) {
    if (held >= goal || row[index] <= 0) break;
    kept.push(index);
    held += row[index];
  }
  return kept.sort((a, b) => a - b);
}

/**
 * @param {View} view
 * @param {{room: number, mass: number, measure: (text: string) => number}} how
 * @returns {Drawing}
 */
export function ribbons(view, { room, mass, measure }) {
  const weights = view.weights ?? view.rows.map(() => view.columns.map(() => 0));
  const kept = weights.map((row) => strongestMass(row, mass));
  const drawn = weights.map((row, index) =>
    row.map((weight, column) => (kept[index].includes(column) ? weight : 0)),
  );
  const written = words(view.rows, view.rowText, drawn.map(sum), measure);
  const read = words(
    view.columns,
    view.columnText,
    view.columns.map((_, column) => sum(drawn.map((row) => row[column]))),
    measure,
  );
  const across = Math.max(lengthOf(written, GAP), lengthOf(read, GAP)) <= room;
  const gaps = [written, read].map(
    (line) => (room - lengthOf(line, 0)) / Math.max(line.labels.length, 1),
  );
  const gap = Math.min(WIDE_GAP, ...gaps);
  const drawing = across ? above(written, read, gap) : beside(written, read, room);
  return { ...drawing, across, ribbons: paths(drawing, drawn, across) };
}

/** @param {number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/**
 * @typedef {{text: string, quiet: "mark" | "blank" | null, wide: number, total: number}} Label
 * @typedef {{labels: Label[], rtl: boolean}} Line
 */

/** @param {Item[]} items @param {string} text @param {number[]} totals @param {(text: string) => number} measure @returns {Line} */
function words(items, text, totals, measure) {
  const labels = items.map((item, index) => {
    const { text: whole, quiet } = heading(item);
    const letters = Array.from(whole);
    const shown =
      letters.length > MOST_LETTERS ? `${letters.slice(0, MOST_LETTERS - 1).join("")}…` : whole;
    return { text: shown, quiet, wide: Math.ceil(measure(shown)), total: totals[index] };
  });
  return { labels, rtl: direction(text) === "rtl" };
}

/** Room a word takes on its line, with what arrives at it. @param {Label} label */
const space = (label) => Math.max(label.wide, label.total * FULL);

/** @param {Line} line @param {number} gap */
const lengthOf = (line, gap) => sum(line.labels.map((label) => space(label) + gap));

/** @param {Line} written @param {Line} read @param {number} gap */
function above(written, read, gap) {
  const height = 2 * LINE + APART;
  const width = Math.max(lengthOf(written, gap), lengthOf(read, gap));
  const set = (/** @type {Line} */ line, /** @type {number} */ y) => {
    const start = (width - lengthOf(line, gap)) / 2;
    let at = start;
    const places = line.labels.map((label) => {
      const from = at;
      at += space(label) + gap;
      return { ...label, from, to: at };
    });
    const end = start + at;
    return places.map((place) => {
      const [from, to] = line.rtl ? [end - place.to, end - place.from] : [place.from, place.to];
      return { ...place, from, to, x: (from + to) / 2, y };
    });
  };
  return { width, height, columns: set(read, LINE - 10), rows: set(written, height - 10) };
}

/** @param {Line} written @param {Line} read @param {number} room */
function beside(written, read, room) {
  const widest = (/** @type {Line} */ line) =>
    Math.max(...line.labels.map(({ wide }) => wide), 0) + GAP;
  const [left, right] = [widest(read), widest(written)];
  const between = Math.min(Math.max(room - left - right, ASIDE.least), ASIDE.most);
  const tall = (/** @type {Label} */ { total }) => Math.max(LINE, total * FULL + 6);
  const high = (/** @type {Line} */ line) => sum(line.labels.map(tall));
  const height = Math.max(high(read), high(written));
  const set = (/** @type {Line} */ line, /** @type {number} */ x) => {
    let at = (height - high(line)) / 2;
    return line.labels.map((label) => {
      const from = at;
      at += tall(label);
      return { ...label, from, to: at, x, y: (from + at) / 2 };
    });
  };
  return {
    width: left + between + right,
    height,
    columns: set(read, left - GAP),
    rows: set(written, left + between + GAP),
  };
}

/** @param {{width: number, height: number, rows: Place[], columns: Place[]}} drawing @param {number[][]} drawn @param {boolean} across */
function paths({ height, rows, columns }, drawn, across) {
  const near = across ? LINE : columns[0]?.x + GAP / 2;
  const far = across ? height - LINE : rows[0]?.x - GAP / 2;
  const middle = (near + far) / 2;
  const point = (/** @type {number} */ along, /** @type {number} */ at) =>
    across ? `${round(at)} ${round(along)}` : `${round(along)} ${round(at)}`;
  // At each word the ribbons stand in the order of the words at their other ends, so that they
  // cross as little as they can.
  const byPlace = (/** @type {Place[]} */ places) =>
    places.map((_, index) => index).sort((a, b) => places[a].from - places[b].from);
  const starts = (/** @type {Place} */ place) => (place.from + place.to - place.total * FULL) / 2;
  const atColumn = columns.map(starts);
  const tops = drawn.map((row) => row.map(() => 0));
  for (const row of byPlace(rows)) {
    drawn[row].forEach((weight, column) => {
      tops[row][column] = atColumn[column];
      atColumn[column] += weight * FULL;
    });
  }
  const order = byPlace(columns);
  return drawn.flatMap((weights, row) => {
    let at = starts(rows[row]);
    return order.flatMap((column) => {
      const wide = weights[column] * FULL;
      if (!wide) return [];
      const [a, b] = [tops[row][column], at];
      at += wide;
      const path =
        `M${point(near, a)}C${point(middle, a)} ${point(middle, b)} ${point(far, b)}` +
        `L${point(far, b + wide)}C${point(middle, b + wide)} ${point(middle, a + wide)} ${point(near, a + wide)}Z`;
      return [{ row, column, weight: weights[column], path }];
    });
  });
}

/** @param {number} value */
const round = (value) => Math.round(value * 100) / 100;
