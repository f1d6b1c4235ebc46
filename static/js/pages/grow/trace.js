/** A trace of the network that is trained in the page, in the schema of all traces. Pure. */

/** @import {Edit, Trace, TokenAxis} from "../../core/types" */
/** @import {Run} from "./run.js" */

import { SCHEMA, plainRequest } from "../../core/trace_schema.js";
import { END } from "./network.js";
import { exp } from "./numbers.js";

/** @typedef {ReturnType<typeof outputOf>} Output */

const MAP = /** @type {const} */ ({
  kind: "cross",
  layer: 0,
  head: 0,
  query: "target",
  key: "source",
});
const MOST_CELLS = 32;
const MOST_ALTERNATIVES = 5;
const END_TEXT = "</s>";

/** The id of a grown model. @param {Run} run */
export const idOf = ({ task, network }) => `grown-${task.name}-${network.shape.mechanism}`;

/** @param {Run} run @param {string} text that the network can read @param {readonly Edit[]} [edits] of its attention @returns {Trace} */
export function traceOf(run, text, edits = []) {
  const { network, vocabulary, updates } = run;
  const before = edits.length ? outputOf(run, text) : null;
  const output = run.under(edits, () => outputOf(run, text));
  return {
    schema: SCHEMA,
    model: {
      id: idOf(run),
      weights: `after ${updates} updates`,
      mechanism: network.shape.mechanism,
      order: network.shape.order,
    },
    task: run.task.name,
    request: { ...plainRequest(text), detail: "full", ...(before && { edits: [...edits] }) },
    source: axis(text, "sum", vocabulary.read(text) ?? [], true),
    ...output,
    ...(before && { baseline: baselineOf(run, text, { before, after: output, edits }) }),
    memory: network.memory(0).map(vector),
    runners_up: [],
    timing: { encode_ms: 0, decode_ms: 0 },
  };
}

/** The run without the edits, and what they changed of it. @param {Run} run @param {string} text @param {{before: Output, after: Output, edits: readonly Edit[]}} found @returns {Trace["baseline"]} */
function baselineOf(run, text, { before, after, edits }) {
  const tokens = before.target.tokens.map(({ id }) => id);
  const chances = () => {
    run.force(text, tokens);
    return tokens.map((_, step) => softmax(run.network.seen(step, 0).logits));
  };
  const [plain, edited] = [chances(), run.under(edits, chances)];
  const changes = tokens.map((token, step) => {
    const [p, q] = [plain[step], edited[step]];
    const [one, other] = [Math.log(p[token]), Math.log(q[token])];
    const divergence = p.reduce(
      (sum, chance, each) =>
        sum + (chance ? chance * Math.log(chance / Math.max(q[each], Number.MIN_VALUE)) : 0),
      0,
    );
    return {
      before: rounded(one),
      after: rounded(other),
      delta: rounded(other - one),
      divergence: rounded(divergence),
    };
  });
  const written = after.target.tokens.map(({ id }) => id);
  const length = Math.max(tokens.length, written.length);
  const parts = Array.from({ length }, (_, step) => tokens[step] !== written[step]).indexOf(true);
  const unused = edits.flatMap(({ queries }, index) =>
    Number(queries ?? 0) >= written.length ? [index] : [],
  );
  return { ...before, changes, ...(parts >= 0 && { parts_at: parts }), unused };
}

/** The text that is written for another, with its map and its numbers. @param {Run} run @param {string} text */
function outputOf(run, text) {
  const { network, vocabulary } = run;
  const [{ written }] = run.write([text]);
  const count = Array.from(written).length;
  const ended = count < run.mostSteps;
  const tokens = [...(vocabulary.read(written) ?? []).slice(0, -1), ...(ended ? [END] : [])];
  const seen = tokens.map((_, step) => network.seen(step, 0));
  const chances = seen.map(({ logits }) => softmax(logits));
  const probabilities = tokens.map((token, step) => chances[step][token]);
  const weights = seen.flatMap((step) => (step.weights ? [step.weights.map(rounded)] : []));
  const scores = seen.flatMap((step) => (step.scores ? [step.scores.map(rounded)] : []));
  const total = probabilities.reduce((sum, chance) => sum + Math.log(chance), 0);
  return {
    text: written,
    target: axis(written, "mean", tokens, ended),
    maps: weights.length ? [{ ...MAP, weights, scores }] : [],
    steps: seen.map(({ query, context, state }, step) => ({
      probability: rounded(probabilities[step]),
      surprise: rounded(-Math.log2(probabilities[step])),
      alternatives: alternatives(chances[step], vocabulary),
      query: vector(query),
      context: vector(context),
      state: vector(state),
    })),
    log_probability: rounded(total),
    score: rounded(total / (tokens.length || 1)),
    finish: /** @type {"end" | "length"} */ (ended ? "end" : "length"),
  };
}

/** Characters, each a word of its own. @param {string} text @param {"sum" | "mean"} merge @param {number[]} ids @param {boolean} ended @returns {TokenAxis} */
function axis(text, merge, ids, ended) {
  const words = Array.from(text, (symbol, start) => ({
    text: symbol,
    start,
    end: start + 1,
    special: false,
  }));
  const end = { text: END_TEXT, start: words.length, end: words.length, special: true };
  const all = ended ? [...words, end] : words;
  return {
    kind: "tokens",
    unit: "tokens",
    text,
    tokens: all.map((word, place) => ({ ...word, id: ids[place], word: place })),
    words: all,
    merge,
  };
}

/** The chances of all tokens; the marks before the end are never written. @param {number[]} logits */
function softmax(logits) {
  const top = Math.max(...logits.slice(END));
  const powers = logits.map((logit, token) => (token < END ? 0 : exp(logit - top)));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

/** @param {number[]} chances @param {import("./vocabulary.js").Vocabulary} vocabulary */
const alternatives = (chances, vocabulary) =>
  chances
    .map((probability, id) => ({
      id,
      text: id === END ? END_TEXT : vocabulary.symbol(id),
      probability: rounded(probability),
    }))
    .filter(({ text }) => text !== "")
    .sort((one, other) => other.probability - one.probability)
    .slice(0, MOST_ALTERNATIVES);

/** @param {number[]} values */
function vector(values) {
  const size = values.length;
  const cells = Math.min(MOST_CELLS, size);
  const from = (/** @type {number} */ cell) => Math.floor((cell * size) / cells);
  const summary = Array.from({ length: cells }, (_, cell) => {
    const part = values.slice(from(cell), from(cell + 1));
    return rounded(part.reduce((sum, value) => sum + value, 0) / part.length);
  });
  const norm = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return { size, norm: rounded(norm), summary, values: values.map(rounded) };
}

/** @param {number} value */
const rounded = (value) => Math.round(value * 1e6) / 1e6 + 0;
