/** A trace of the network that is trained in the page, in the schema of all traces. Pure. */

/** @import {Trace, Vector} from "../../core/types" */
/** @import {Run} from "./run.js" */

import { SCHEMA, plainRequest } from "../../core/trace_schema.js";
import { END } from "./network.js";
import { exp } from "./numbers.js";

const MOST_CELLS = 32;
const MOST_ALTERNATIVES = 5;
const END_TEXT = "</s>";

/** The id of a grown model. @param {Run} run */
export const idOf = ({ task, network }) => `grown-${task.name}-${network.shape.mechanism}`;

/** @param {Run} run @param {string} text that the network can read @returns {Trace} */
export function traceOf(run, text) {
  const { network, vocabulary, updates } = run;
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
    schema: SCHEMA,
    model: {
      id: idOf(run),
      weights: `after ${updates} updates`,
      mechanism: network.shape.mechanism,
      order: network.shape.order,
    },
    task: run.task.name,
    request: { ...plainRequest(text), detail: "full" },
    text: written,
    source: axis(text, "sum", vocabulary.read(text) ?? [], true),
    target: axis(written, "mean", tokens, ended),
    maps: weights.length
      ? [{ kind: "cross", layer: 0, head: 0, query: "target", key: "source", weights, scores }]
      : [],
    steps: seen.map(({ query, context, state }, step) => ({
      probability: rounded(probabilities[step]),
      surprise: rounded(-Math.log2(probabilities[step])),
      alternatives: alternatives(chances[step], vocabulary),
      query: vector(query),
      context: vector(context),
      state: vector(state),
    })),
    memory: network.memory(0).map(vector),
    runners_up: [],
    log_probability: rounded(total),
    score: rounded(total / (tokens.length || 1)),
    finish: ended ? "end" : "length",
    timing: { encode_ms: 0, decode_ms: 0 },
  };
}

/** Characters, each a word of its own. @param {string} text @param {"sum" | "mean"} merge @param {number[]} ids @param {boolean} ended @returns {Trace["source"]} */
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

/** @param {number[]} values @returns {Vector} */
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
