/** One word that is read with a memory tape as a chain of numbers, with the texts of its parts. Pure. */

/** @import {Scene, Vector} from "../../core/types" */
/** @import {Chain, Named, StepWords, Symbol} from "./step_model.js" */
/** @import {PartName} from "../../core/step_parts.js" */

import { named } from "../../core/text.js";
import { TAPE_PARTS } from "../../core/step_parts.js";

/** The texts of the parts. @type {Record<PartName, {title: string, says: string}>} */
const TAPE_TEXT = {
  fixed: { title: "", says: "" },
  state: {
    title: "The word before is read",
    says: "An LSTM cell. In place of the last state it has h̃ and c̃, the sums of the step before: the gates say how much of the word is written, how much of c̃ is kept, and how much of the cell is shown.",
  },
  query: {
    title: "The query",
    says: "The word before and the sum of the step before, each multiplied by a matrix.",
  },
  scores: {
    title: "A score for each word on the tape",
    says: "The key of a word is its state, multiplied by a matrix. Key and query are added, and a vector weighs the result.",
  },
  weights: {
    title: "Softmax turns scores into weights",
    says: "The largest score is subtracted first, so that no exponential overflows; the weights sum to 1.",
  },
  context: {
    title: "The weighted sums",
    says: "Scale the state and the cell of each word by its weight and add them up: both take the place of the last state.",
  },
  word: {
    title: "The word that is expected",
    says: "The likeliest words in this place, before it is read.",
  },
};

/** @param {Scene} scene in tokens @param {number} row @returns {Chain} */
export function tapeChain({ view, output, picked }, row) {
  const step = output.steps[row];
  const scores = view.scores?.[row] ?? view.columns.map(() => null);
  const top = Math.max(...scores.map((score) => score ?? -Infinity));
  const keys = view.columns.map((item, column) => {
    const score = scores[column];
    const shifted = score === null ? null : score - top;
    const weight = view.weights?.[row]?.[column] ?? 0;
    return {
      item,
      score,
      shifted,
      exponential: shifted === null ? null : Math.exp(shifted),
      weight,
      later: score === null && weight === 0,
      memory: null,
      key: picked?.keys?.[column] ?? null,
      value: picked?.values?.[column] ?? null,
    };
  });
  return {
    parts: TAPE_PARTS,
    words: WORDS,
    own: Boolean(picked?.keys && picked.values),
    layered: false,
    head: null,
    fed: view.columns[row] ? named(view.columns[row]) : "",
    keys,
    sum: keys.reduce((total, { exponential }) => total + (exponential ?? 0), 0),
    query: step?.query ?? null,
    context: step?.context ?? null,
    state: step?.state ?? null,
    before: null,
    fedBack: false,
    summed: true,
    alternatives: step?.alternatives ?? [],
    written: output.target.tokens[view.rows[row]?.tokens[0]]?.id ?? -1,
    more: {
      state: [
        ...present("c", "its cell", step?.cell),
        ...GATES.flatMap(([symbol, meaning], place) =>
          present(symbol, meaning, step?.gates?.[place]),
        ),
      ],
      context: present("c̃", "the sum of the cells", step?.cell_context),
    },
  };
}

const GATES = /** @type {const} */ ([
  ["i", "how much is written"],
  ["f", "how much is kept"],
  ["o", "how much is shown"],
]);

/** @param {string} symbol @param {string} meaning @param {Vector | null} [value] @returns {Named[]} */
const present = (symbol, meaning, value) => (value ? [{ symbol, meaning, value }] : []);

/** @type {StepWords} */
const WORDS = {
  text: (part) => TAPE_TEXT[part],
  query: ["q", "the query"],
  context: ["h̃", "the sum of the states"],
  state: ["h", "the state of the word before"],
  key: ["k", "h", "word"],
  piece: "word",
  formula: tapeFormula,
};

/**
 * The formula of a part (Cheng et al. 2016, equations 4 to 10, with the word before in the query).
 * @param {PartName} part @param {Chain} chain @returns {(string | Symbol)[]}
 */
function tapeFormula(part, chain) {
  const size = (/** @type {string} */ meaning, /** @type {Vector | null | undefined} */ value) =>
    value
      ? `${meaning}: ${value.size} numbers${value.norm === null ? "" : `, length ${value.norm.toFixed(2)}`}`
      : meaning;
  const best = chain.keys.reduce((most, key) => (key.weight > most.weight ? key : most));
  const learned = (/** @type {string} */ symbol) => ({ symbol, meaning: "learned in training" });
  const found = (/** @type {PartName} */ name, /** @type {string} */ symbol) =>
    chain.more?.[name]?.find((each) => each.symbol === symbol)?.value;
  const gate = (/** @type {number} */ place) => {
    const [symbol, meaning] = GATES[place];
    return {
      symbol,
      meaning: size(`${meaning}, from 0 to 1 for each number`, found("state", symbol)),
    };
  };
  const last = chain.fed || "the word before";
  const x = { symbol: "x", meaning: `the embedding of ${last}` };
  const h = { symbol: "h", meaning: size(`the state of ${last}`, chain.state) };
  const c = { symbol: "c", meaning: size(`the cell of ${last}`, found("state", "c")) };
  const past = (/** @type {string} */ symbol) => ({
    symbol,
    meaning: "the sum of the step before; zeros at the first step",
  });
  const q = { symbol: "q", meaning: size("the query", chain.query) };
  const k = { symbol: "kⱼ", meaning: size("the key of word j", best.key) };
  const e = { symbol: "eⱼ", meaning: `the scores, up to ${best.score?.toFixed(2) ?? "?"}` };
  const a = { symbol: "αⱼ", meaning: `the weights, up to ${best.weight.toFixed(3)}` };
  const state = { symbol: "h̃", meaning: size("the sum of the states", chain.context) };
  const cell = { symbol: "c̃", meaning: size("the sum of the cells", found("context", "c̃")) };
  const hj = { symbol: "hⱼ", meaning: size("the state of word j", best.value) };
  const total = { symbol: "Σₖ exp(eₖ − max e)", meaning: `the sum: ${chain.sum.toFixed(3)}` };
  switch (part) {
    case "state":
      return [
        ...[c, " = ", gate(1), " ", past("c̃ₜ₋₁"), " + ", gate(0), " "],
        { symbol: "ĉ", meaning: "the word and h̃ of the step before, from −1 to 1" },
        ...[", ", h, " = ", gate(2), " tanh(", c, ")"],
      ];
    case "query":
      return [
        q,
        " = ",
        learned("U"),
        " ",
        x,
        " + ",
        learned("Z"),
        " ",
        past("h̃ₜ₋₁"),
        " + ",
        learned("b"),
      ];
    case "scores":
      return [e, " = ", learned("v"), " · tanh(", k, " + ", q, ")"];
    case "weights":
      return [a, " = exp(", e, " − max e) / ", total];
    case "context":
      return [state, " = Σⱼ ", a, " ", hj, ", ", cell, " = Σⱼ ", a, " cⱼ"];
    default:
      return [
        "P(word) = softmax(",
        learned("E"),
        " tanh(",
        learned("R"),
        " [",
        h,
        "; ",
        state,
        "]))",
      ];
  }
}
