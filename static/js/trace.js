/** Reading a trace: which map, in which units. Pure; a view is made from a trace and never changes it. */

/** @import {AttentionMap, Item, MapKind, Output, TokenAxis, Trace, Units, View} from "./types" */

import { slice } from "./text.js";

/**
 * All hypotheses, the best first.
 * @param {Trace} trace @returns {Output[]}
 */
export function hypotheses(trace) {
  return [trace, ...trace.runners_up];
}

/**
 * The axis as rows or columns: one item per token, or one per word with the tokens it is made of.
 * @param {TokenAxis} axis @param {Units} units @returns {Item[]}
 */
export function items(axis, units) {
  if (units === "subwords") {
    return axis.tokens.map((token, index) => ({
      text: token.special ? token.text : slice(axis.text, token.start, token.end) || token.text,
      start: token.start,
      end: token.end,
      special: token.special,
      tokens: [index],
    }));
  }
  const words = axis.words.map((word) => ({ ...word, tokens: /** @type {number[]} */ ([]) }));
  axis.tokens.forEach((token, index) => words[token.word].tokens.push(index));
  return words.filter((word) => word.tokens.length > 0);
}

/** @param {TokenAxis} axis whether words and tokens differ on it */
export function mergeable(axis) {
  return items(axis, "words").length < axis.tokens.length;
}

/**
 * A matrix in other units: what is read is summed over its pieces, what is written averaged, so
 * that a row still sums to 1.
 * @param {number[][]} matrix @param {Item[]} rows @param {Item[]} columns
 */
export function merge(matrix, rows, columns) {
  return rows.map((row) =>
    columns.map((column) => {
      let total = 0;
      for (const i of row.tokens) for (const j of column.tokens) total += matrix[i]?.[j] ?? 0;
      return total / row.tokens.length;
    }),
  );
}

/**
 * Scores are kept where row and column are single tokens; a sum of scores would mean nothing.
 * @param {(number | null)[][]} matrix @param {Item[]} rows @param {Item[]} columns
 */
export function pick(matrix, rows, columns) {
  return rows.map((row) =>
    columns.map((column) =>
      row.tokens.length === 1 && column.tokens.length === 1
        ? (matrix[row.tokens[0]]?.[column.tokens[0]] ?? null)
        : null,
    ),
  );
}

/**
 * What a decoder is fed: a start mark, then every token of its own text but the last.
 * @param {TokenAxis} target @returns {TokenAxis}
 */
export function fed(target) {
  const start = { text: "<s>", start: 0, end: 0, special: true };
  return {
    ...target,
    merge: "sum",
    words: [start, ...target.words],
    tokens: [{ ...start, id: 1, word: 0 }, ...target.tokens.slice(0, -1).map((token) => ({ ...token, word: token.word + 1 }))],
  };
}

/**
 * One map of a hypothesis, in the units asked for. Without a map there are still rows and columns.
 * @param {Trace} trace @param {Output} output @param {AttentionMap | null} map @param {Units} units
 * @returns {View}
 */
export function viewOf(trace, output, map, units) {
  const axes = { source: trace.source, target: output.target, fed: fed(output.target) };
  const rowAxis = map?.query ?? "target";
  const columnAxis = map?.key ?? "source";
  const rows = items(axes[rowAxis], units);
  const columns = items(axes[columnAxis], units);
  return {
    rows,
    columns,
    rowAxis,
    columnAxis,
    rowText: axes[rowAxis].text,
    columnText: axes[columnAxis].text,
    weights: map && merge(map.weights, rows, columns),
    scores: map?.scores ? pick(map.scores, rows, columns) : null,
  };
}

/**
 * What there is to choose from among a hypothesis's maps, given what is chosen so far.
 * @param {Output} output @param {{map: MapKind | null, layer: number | null, head: number | null}} wanted
 */
export function choices(output, wanted) {
  const kinds = distinct(output.maps.map((map) => map.kind));
  const kind = nearest(kinds, wanted.map, kinds.includes("cross") ? "cross" : kinds[0]);
  const ofKind = output.maps.filter((map) => map.kind === kind);
  const layers = distinct(ofKind.map((map) => map.layer)).sort(ascending);
  const layer = nearest(layers, wanted.layer, layers.at(-1));
  const ofLayer = ofKind.filter((map) => map.layer === layer);
  const heads = distinct(ofLayer.map((map) => map.head)).sort(ascending);
  const head = nearest(heads, wanted.head, heads[0]);
  return { kinds, layers, heads, picked: ofLayer.find((map) => map.head === head) ?? null };
}

/** @param {Item[]} rows @param {number} token which row holds the token; the last one past the end */
export function rowOf(rows, token) {
  const row = rows.findIndex((item) => item.tokens.includes(token));
  return row === -1 ? Math.max(rows.length - 1, 0) : row;
}

/** @template T @param {T[]} values @returns {T[]} */
const distinct = (values) => [...new Set(values)];

/** @param {number} a @param {number} b */
const ascending = (a, b) => a - b;

/** @template T @param {T[]} there @param {T | null} wanted @param {T | undefined} otherwise */
function nearest(there, wanted, otherwise) {
  return wanted !== null && there.includes(wanted) ? wanted : otherwise;
}
