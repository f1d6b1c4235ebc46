/** Maps of a trace, in words or in tokens. Pure; a view is made from a trace and never changes it. */

/** @import {AttentionMap, ClassAxis, GlimpseAxis, GraphAxis, HopAxis, Item, MapKind, MapScene, Model, Output, Pool, SentenceAxis, Step, TokenAxis, Trace, Units, Vector, View} from "./types" */

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
 * Sentences, hops, glimpses and nodes have no parts.
 * @param {TokenAxis | SentenceAxis | HopAxis | GlimpseAxis | GraphAxis | ClassAxis} axis @param {Units} units @returns {Item[]}
 */
export function items(axis, units) {
  if (axis.kind === "sentences")
    return axis.sentences.map((sentence, index) => ({ ...sentence, tokens: [index] }));
  if (axis.kind === "hops") return counted("hop", axis.hops);
  if (axis.kind === "glimpses") return counted("glimpse", axis.glimpses.length);
  if (axis.kind === "graph") return axis.nodes.map(({ text }, node) => nodeItem(text, node));
  if (axis.kind === "classes") return axis.nodes.map(nodeItem);
  const [rareWords, unknownWords] = [new Set(axis.rare_words), new Set(axis.unknown_words)];
  const written = axis.written ?? Infinity;
  /** @param {number} token @returns {{answer?: true, sound?: true}} */
  const kindAt = (token) => ({
    ...(token >= written && /** @type {const} */ ({ answer: true })),
    ...(axis.frame_seconds && /** @type {const} */ ({ sound: true })),
  });
  /** @param {number} word @returns {{rare?: true, madeUp?: true}} */
  const rarity = (word) => ({
    ...(rareWords.has(word) && /** @type {const} */ ({ rare: true })),
    ...(unknownWords.has(word) && /** @type {const} */ ({ madeUp: true })),
  });
  if (units === "subwords") {
    return axis.tokens.map((token, index) => ({
      text: token.special ? token.text : slice(axis.text, token.start, token.end) || token.text,
      start: token.start,
      end: token.end,
      special: token.special,
      tokens: [index],
      ...kindAt(index),
      ...rarity(token.word),
    }));
  }
  const words = axis.words.map((word, place) => ({
    ...word,
    tokens: /** @type {number[]} */ ([]),
    ...rarity(place),
  }));
  axis.tokens.forEach((token, index) => words[token.word].tokens.push(index));
  return words
    .filter((word) => word.tokens.length > 0)
    .map((word) => ({ ...word, ...kindAt(word.tokens[0]) }));
}

/** @param {string} text @param {number} node @returns {Item} */
const nodeItem = (text, node) => ({ text, start: 0, end: 0, special: false, tokens: [node] });

/** Items that have a number and no text. @param {string} name @param {number} count @returns {Item[]} */
const counted = (name, count) =>
  Array.from({ length: count }, (_, index) => ({
    text: `${name} ${index + 1}`,
    start: 0,
    end: 0,
    special: false,
    tokens: [index],
  }));

/**
 * Words without a token: characters that are unknown to the model, which ignores them.
 * @param {TokenAxis} axis
 */
export function skippedWords(axis) {
  const read = new Set(axis.tokens.map((token) => token.word));
  return axis.words.filter((word, place) => !word.special && !read.has(place));
}

/** Returns true if words and tokens differ. @param {TokenAxis} axis */
export function mergeable(axis) {
  return items(axis, "words").length < axis.tokens.length;
}

/**
 * A matrix in other units: columns are summed over their tokens, rows averaged, so that a row
 * still sums to 1.
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
 * Scores where row and column are single tokens; a sum of scores has no meaning.
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
 * Scores of single rows, where a column of several tokens has the logarithm of the sum of their
 * exponentials: the softmax of these is the sum of the tokens' weights.
 * @param {(number | null)[][]} matrix @param {Item[]} rows @param {Item[]} columns
 */
export function joined(matrix, rows, columns) {
  return rows.map(({ tokens: [row] }) =>
    columns.map(({ tokens }) => {
      const scores = tokens.flatMap((token) => matrix[row]?.[token] ?? []);
      if (scores.length < 2) return scores[0] ?? null;
      const top = Math.max(...scores);
      return top + Math.log(scores.reduce((sum, score) => sum + Math.exp(score - top), 0));
    }),
  );
}

/** The token of an item that a step shows: the one asked for, else the first. @param {Item} item @param {number | null} step */
export const pieceOf = ({ tokens }, step) =>
  step !== null && tokens.includes(step) ? step : tokens[0];

/** The mean vectors of words, by their first token's. @type {WeakMap<Vector, Vector>} */
const means = new WeakMap();

/** The vector of an item: that of its token, or the mean of several. @param {(Vector | null)[] | null | undefined} vectors of all tokens @param {Item} item @returns {Vector | null} */
export function vectorOf(vectors, { tokens }) {
  const own = tokens.flatMap((token) => vectors?.[token] ?? []);
  if (own.length < 2) return own[0] ?? null;
  const known = means.get(own[0]);
  if (known) return known;
  const summary = own[0].summary.map(
    (_, cell) => own.reduce((sum, vector) => sum + vector.summary[cell], 0) / own.length,
  );
  const mean = { size: own[0].size, norm: null, summary, values: null };
  means.set(own[0], mean);
  return mean;
}

/**
 * The input of a decoder: the start token, then every token of its own text but the last.
 * @param {TokenAxis} target @returns {TokenAxis}
 */
export function decoderInput(target) {
  const start = { text: "<s>", start: 0, end: 0, special: true };
  return {
    ...target,
    merge: "sum",
    words: [start, ...target.words],
    tokens: [
      { ...start, id: 1, word: 0 },
      ...target.tokens.slice(0, -1).map((token) => ({ ...token, word: token.word + 1 })),
    ],
  };
}

/**
 * One map of a hypothesis, in the given units. Without a map there are still rows and columns.
 * @param {Trace} trace @param {Output} output @param {AttentionMap | null} map @param {Units} units
 * @param {(item: Item) => number} [piece] of a row, where its numbers are those of one token
 * @returns {View}
 */
export function viewOf(trace, output, map, units, piece) {
  const axes = {
    source: trace.source,
    target: output.target,
    decoder_input: decoderInput(output.target),
  };
  const rowAxis = map?.query ?? "target";
  const columnAxis = map?.key ?? "source";
  const rows = items(axes[rowAxis], units);
  const columns = items(axes[columnAxis], units);
  const pieces = piece && rows.map((row) => ({ ...row, tokens: [piece(row)] }));
  return {
    rows,
    columns,
    rowAxis,
    columnAxis,
    rowText: axes[rowAxis].text,
    columnText: axes[columnAxis].text,
    weights: map && merge(map.weights, pieces ?? rows, columns),
    scores: map?.scores
      ? pieces
        ? joined(map.scores, pieces, columns)
        : pick(map.scores, rows, columns)
      : null,
  };
}

/**
 * The changes that edits made to a map, in the rows up to `last`: those after it belong to other words.
 * @param {AttentionMap} map @param {AttentionMap} before @param {number} last @returns {AttentionMap}
 */
export const differenceOfMaps = (map, before, last) => ({
  ...map,
  weights: map.weights.map((row, query) =>
    row.map((value, key) => (query > last ? 0 : value - (before.weights[query]?.[key] ?? 0))),
  ),
});

/**
 * One map of several heads. `mean`: their mean. `max`: the largest weight of each cell, with rows
 * normalized to 1. `rollout`: the product of the means of all layers up to this one, each averaged
 * with the identity, which stands for the residual connection (Abnar and Zuidema 2020).
 * @param {AttentionMap[]} maps of one kind @param {number} layer @param {Pool} how
 * @returns {AttentionMap}
 */
export function pooled(maps, layer, how) {
  const of = (/** @type {number} */ wanted) =>
    maps.filter((map) => map.layer === wanted).map(({ weights }) => weights);
  const over = (
    /** @type {number[][][]} */ heads,
    /** @type {(values: number[]) => number} */ join,
  ) => heads[0].map((row, i) => row.map((_, j) => join(heads.map((head) => head[i][j]))));
  const mean = (/** @type {number[]} */ values) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const used = maps.filter(
    (map) => map.layer === layer || (how === "rollout" && map.layer < layer),
  );
  /** @type {number[][]} */
  let weights;
  // Of a large trace, some heads may not be loaded.
  if (used.some(({ weights }) => !weights.length)) weights = [];
  else if (how === "max") {
    weights = over(of(layer), (values) => Math.max(...values)).map((row) => {
      const total = row.reduce((sum, value) => sum + value, 0) || 1;
      return row.map((value) => value / total);
    });
  } else if (how === "mean") weights = over(of(layer), mean);
  else {
    const layers = distinct(maps.map((map) => map.layer))
      .sort(ascending)
      .filter((each) => each <= layer);
    weights = layers
      .map((each) =>
        over(of(each), mean).map((row, i) => row.map((value, j) => (value + Number(i === j)) / 2)),
      )
      .reduce((below, above) =>
        above.map((row) =>
          below[0].map((_, j) => row.reduce((sum, value, k) => sum + value * below[k][j], 0)),
        ),
      );
  }
  const { kind, query, key } = maps[0];
  return { kind, layer, head: -1, query, key, weights, scores: null };
}

/**
 * The choices among the maps of a hypothesis, given those made so far.
 * @param {Pick<Output, "maps">} output
 * @param {{map: MapKind | null, layer: number | null, head: number | null, pool: Pool | null}} wanted
 * @param {{layer: number, head: number} | null} [best] head of cross-attention
 */
export function choices(output, wanted, best = null) {
  const kinds = distinct(output.maps.map((map) => map.kind));
  const kind = nearest(kinds, wanted.map, kinds.includes("cross") ? "cross" : kinds[0]);
  const ofKind = output.maps.filter((map) => map.kind === kind);
  const layers = distinct(ofKind.map((map) => map.layer)).sort(ascending);
  const first = kind === "cross" ? best : null;
  const layer = nearest(layers, wanted.layer, nearest(layers, first?.layer ?? null, layers.at(-1)));
  const ofLayer = ofKind.filter((map) => map.layer === layer);
  const heads = distinct(ofLayer.map((map) => map.head)).sort(ascending);
  const head = nearest(
    heads,
    wanted.head,
    nearest(heads, first && layer === first.layer ? first.head : null, heads[0]),
  );
  /** @type {Pool[]} */
  const pools = heads.length > 1 ? ["mean", "max"] : [];
  // A rollout needs all maps, which those that are loaded one at a time are too many for.
  const linked = ofKind.some(({ address }) => address);
  if (kind !== "cross" && layers.length > 1 && !linked) pools.push("rollout");
  const pool = nearest(pools, wanted.pool, undefined) ?? null;
  const picked =
    pool && layer !== undefined
      ? pooled(ofKind, layer, pool)
      : (ofLayer.find((map) => map.head === head) ?? null);
  return { kinds, layers, heads, pools, pool, picked };
}

/** Returns true if the decoder has layers of self-attention (Vaswani et al. 2017). @param {Output} output */
export function layered(output) {
  return output.maps.some(({ kind }) => kind === "decoder-self");
}

/**
 * The steps that wrote a row, one for each of its tokens; a row of the input has none.
 * @param {MapScene} scene @param {number} row @returns {Step[]}
 */
export function stepsOf(scene, row) {
  if (scene.view.rowAxis !== "target") return [];
  return (scene.view.rows[row]?.tokens ?? []).flatMap((token) => scene.output.steps[token] ?? []);
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

/** Traces of models with fewer heads in their decoder come with all maps, however long an output is. */
const FEW_HEADS = 16;

/** Returns true if a trace of the model may come without its maps. @param {Model} model */
export const mayBeLarge = ({ layers, heads }) => layers * heads > FEW_HEADS;
