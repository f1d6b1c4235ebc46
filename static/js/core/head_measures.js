/** The measures of a head: entropy, diagonal, sink share, alignment, and the difference to another. Pure. */

/** @import {AttentionMap, Output, TokenAxis, Trace} from "./types" */
/** @import {Link} from "./links.js" */

import { sureLinks, wordsOf } from "./links.js";
import { entropy } from "./row_metrics.js";

/** Keys on either side of the diagonal. */
const BAND = 1;

/** @typedef {"alignment" | "entropy" | "diagonal" | "sink" | "moved"} Measure */
/** @typedef {{sum: number, count: number}} Total over the rows of a map */
/** @typedef {Partial<Record<Measure, Total>>} Totals */
/** @typedef {Partial<Record<Measure, number>>} Figures averages over the rows of one map or several */

/**
 * The measures of a map.
 * @param {Trace} trace @param {Output} output @param {AttentionMap} map
 * @param {{links?: Link[] | null, other?: AttentionMap | null}} [how] `other`: the same head of another model
 * @returns {Totals}
 */
export function totalsOf(trace, output, map, { links = null, other = null } = {}) {
  const { weights, kind } = map;
  const count = weights.length;
  const sinks = sinksOf(trace, output, map);
  const over = (/** @type {(row: number[], place: number) => number} */ measure) => ({
    sum: weights.reduce((sum, row, place) => sum + measure(row, place), 0),
    count,
  });
  const slope = ((weights[0]?.length ?? 1) - 1) / Math.max(count - 1, 1);
  /** @type {Totals} */
  const totals = {
    entropy: over(entropy),
    diagonal: over((row, place) =>
      row.reduce((sum, each, key) => sum + (Math.abs(key - place * slope) <= BAND ? each : 0), 0),
    ),
    sink: over((row) => sinks.reduce((sum, key) => sum + (row[key] ?? 0), 0)),
  };
  const sure = sureLinks(links ?? []);
  if (sure.length && kind === "cross")
    totals.alignment = aligned(weights, trace.source, output.target, sure);
  const theirs = other?.weights;
  if (theirs && theirs.length === count && theirs[0]?.length === weights[0]?.length)
    totals.moved = over(
      (row, place) =>
        row.reduce((sum, each, key) => sum + Math.abs(each - theirs[place][key]), 0) / 2,
    );
  return totals;
}

/** The averages of a head over several traces. @param {Totals[]} several @returns {Figures} */
export function averaged(several) {
  /** @type {Figures} */
  const figures = {};
  for (const name of /** @type {Measure[]} */ ([
    "alignment",
    "entropy",
    "diagonal",
    "sink",
    "moved",
  ])) {
    const found = several.flatMap((totals) => totals[name] ?? []);
    const count = found.reduce((all, each) => all + each.count, 0);
    if (count) figures[name] = found.reduce((sum, each) => sum + each.sum, 0) / count;
  }
  return figures;
}

/** The number of output words whose links count. @param {TokenAxis} target @param {Link[]} links */
export function linkedWords(target, links) {
  const words = wordsOf(target);
  const wrote = new Set(sureLinks(links).map((link) => link[1]));
  return [...wrote].filter((place) => words[place]?.tokens.length).length;
}

/**
 * Of the linked words of the output, those whose most attended word of the input is linked to them.
 * @param {number[][]} weights @param {TokenAxis} source @param {TokenAxis} target @param {Link[]} links @returns {Total}
 */
function aligned(weights, source, target, links) {
  const [keys, queries] = [wordsOf(source), wordsOf(target)];
  const total = { sum: 0, count: 0 };
  for (const wrote of new Set(links.map((link) => link[1]))) {
    const rows = queries[wrote]?.tokens ?? [];
    if (!rows.length) continue;
    const shares = keys.map(({ tokens }) =>
      rows.reduce((sum, row) => tokens.reduce((all, key) => all + weights[row][key], sum), 0),
    );
    const strongest = shares.indexOf(Math.max(...shares));
    total.sum += Number(links.some((link) => link[0] === strongest && link[1] === wrote));
    total.count++;
  }
  return total;
}

/** The keys that carry no word: marks, and in self-attention the first. @param {Trace} trace @param {Output} output @param {AttentionMap} map */
function sinksOf(trace, output, { kind, key, weights }) {
  if (key === "decoder_input") return [0];
  const { tokens } = key === "source" ? trace.source : output.target;
  const marks = tokens.flatMap(({ special }, place) => (special ? [place] : []));
  const first = kind !== "cross" && weights[0]?.length && !marks.includes(0);
  return first ? [0, ...marks] : marks;
}
