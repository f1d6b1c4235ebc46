/**
 * The layout of two sentences with a ribbon for each strong weight. Pure.
 *
 * The width of a ribbon is its weight. Ribbons of the same word are side by side: at an input word,
 * their total width is its coverage, the sum of its column.
 */

/** @import {Item, TokenAxis, View} from "../../core/types" */
/** @import {Link} from "../../core/links.js" */

import { wordsOf } from "../../core/links.js";
import { direction, heading } from "../../core/text.js";
import { round } from "../../draw/marks.js";

/** Width of a ribbon of weight 1. */
const FULL = 18;
/** Gaps between words in a line, and around the ribbons of a word. */
const GAP = 14;
const WIDE_GAP = 40;
/** Height of a line of words, and distance of words in a column. */
const LINE = 30;
/** Height of a word in a column that is fitted, and that from which on all words have room. */
const FITTED = { least: 2, named: 14 };
/** Distances of the sentences: one above the other, where there is little room, or side by side. */
const APART = 190;
const NEAR = 110;
/** In more room they stand farther apart, up to a share of their length. */
const STEEP = 0.4;
const ASIDE = { least: 64, most: 320 };
/** Maximum number of characters of a word. */
const MOST_LETTERS = 24;

/**
 * @typedef {object} Place a word on the drawing
 * @property {string} text @property {"mark" | "blank" | null} quiet
 * @property {number} x @property {number} y the anchor of its text
 * @property {number} from @property {number} to its range along the line
 * @property {number} wide width of its text
 * @property {number} total weight of its ribbons
 *
 * @typedef {object} Ribbon
 * @property {number} row @property {number} column @property {number} weight @property {string} path
 *
 * @typedef {object} Drawing
 * @property {number} width @property {number} height
 * @property {boolean} across true if one sentence is above the other, false if they are side by side
 * @property {number} [line] height of a word in a column
 * @property {boolean} [dense] true if only a few words have room
 * @property {number} full width of a ribbon of weight 1
 * @property {Place[]} rows @property {Place[]} columns @property {Ribbon[]} ribbons
 */

/**
 * The indices of the strongest weights, as many as are needed for a total of `mass`.
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
 * @param {{room: number, high?: number, fits?: boolean, mass: number, measure: (text: string) => number}} how `room`: the width for it; `high`: the height, in which it is whole if it `fits`
 * @returns {Drawing}
 */
export function ribbons(view, { room, high = 0, fits = false, mass, measure }) {
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
  const drawing = across
    ? above(written, read, { gap, high, fits })
    : beside(written, read, room, fits ? high : Infinity);
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

/** The width of a word in its line, at least that of its ribbons. @param {Label} label */
const space = (label) => Math.max(label.wide, label.total * FULL);

/** @param {Line} line @param {number} gap */
const lengthOf = (line, gap) => sum(line.labels.map((label) => space(label) + gap));

/** @param {Line} written @param {Line} read @param {{gap: number, high: number, fits: boolean}} how */
function above(written, read, { gap, high, fits }) {
  const width = Math.max(lengthOf(written, gap), lengthOf(read, gap));
  const least = fits ? Math.min(APART, Math.max(NEAR, high - 2 * LINE)) : APART;
  const apart = Math.max(least, Math.min(high - 2 * LINE, STEEP * width));
  const height = 2 * LINE + apart;
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
  return {
    width,
    height,
    full: FULL,
    columns: set(read, LINE - 10),
    rows: set(written, height - 10),
  };
}

/** @param {Line} written @param {Line} read @param {number} room @param {number} most its height */
function beside(written, read, room, most) {
  const widest = (/** @type {Line} */ line) =>
    Math.max(...line.labels.map(({ wide }) => wide), 0) + GAP;
  const [left, right] = [widest(read), widest(written)];
  const between = Math.min(Math.max(room - left - right, ASIDE.least), ASIDE.most);
  const natural = (/** @type {Label} */ { total }) => Math.max(LINE, total * FULL + 6);
  const whole = Math.max(...[read, written].map(({ labels }) => sum(labels.map(natural))));
  const scale = Math.min(1, Math.max(most / whole, FITTED.least / LINE));
  const tall = (/** @type {Label} */ label) => natural(label) * scale;
  const high = (/** @type {Line} */ line) => sum(line.labels.map(tall));
  const height = whole * scale;
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
    line: LINE * scale,
    dense: LINE * scale < FITTED.named,
    full: FULL * scale,
    columns: set(read, left - GAP),
    rows: set(written, left + between + GAP),
  };
}

/** The space between the sentences. @param {Pick<Drawing, "height" | "rows" | "columns" | "across">} drawing */
function between({ height, rows, columns, across }) {
  const near = across ? LINE : columns[0]?.x + GAP / 2;
  const far = across ? height - LINE : rows[0]?.x - GAP / 2;
  const point = (/** @type {number} */ along, /** @type {number} */ at) =>
    across ? `${round(at)} ${round(along)}` : `${round(along)} ${round(at)}`;
  return { near, middle: (near + far) / 2, far, point };
}

/** @typedef {{row: number, possible: boolean, path: string}} LinkLine `row`: the one that it leads to */

/**
 * Lines between linked words, or their first pieces.
 * @param {Drawing} drawing @param {Pick<View, "rows" | "columns">} view @param {TokenAxis} source @param {TokenAxis} target @param {Link[]} links @returns {LinkLine[]}
 */
export function linkLines(drawing, { rows, columns }, source, target, links) {
  const { near, middle, far, point } = between(drawing);
  const places = (
    /** @type {Item[]} */ items,
    /** @type {Place[]} */ laid,
    /** @type {TokenAxis} */ axis,
  ) =>
    wordsOf(axis).map(({ tokens }) => {
      const [first] = tokens;
      const at = items.findIndex((item) => item.tokens.includes(first));
      return at === -1 ? null : { item: at, at: (laid[at].from + laid[at].to) / 2 };
    });
  const read = places(columns, drawing.columns, source);
  const wrote = places(rows, drawing.rows, target);
  return links.flatMap(([from, to, possible]) => {
    const [start, end] = [read[from], wrote[to]];
    if (!start || !end) return [];
    const path = `M${point(near, start.at)}C${point(middle, start.at)} ${point(middle, end.at)} ${point(far, end.at)}`;
    return [{ row: end.item, possible: Boolean(possible), path }];
  });
}

/** @param {Omit<Drawing, "across" | "ribbons">} drawing @param {number[][]} drawn @param {boolean} across */
function paths({ height, rows, columns, full }, drawn, across) {
  const { near, middle, far, point } = between({ height, rows, columns, across });
  // The ribbons of a word are in the order of the words at their other ends, so that few cross.
  const byPlace = (/** @type {Place[]} */ places) =>
    places.map((_, index) => index).sort((a, b) => places[a].from - places[b].from);
  const starts = (/** @type {Place} */ place) => (place.from + place.to - place.total * full) / 2;
  const atColumn = columns.map(starts);
  const tops = drawn.map((row) => row.map(() => 0));
  for (const row of byPlace(rows)) {
    drawn[row].forEach((weight, column) => {
      tops[row][column] = atColumn[column];
      atColumn[column] += weight * full;
    });
  }
  const order = byPlace(columns);
  return drawn.flatMap((weights, row) => {
    let at = starts(rows[row]);
    return order.flatMap((column) => {
      const wide = weights[column] * full;
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
