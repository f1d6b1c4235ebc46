/** One hop of a memory network as a chain of numbers, with the texts of its parts. Pure. */

/** @import {StoryScene, Vector} from "../../core/types" */
/** @import {Chain, StepWords, Symbol} from "./step_model.js" */
/** @import {PartName} from "../../core/step_parts.js" */

import { below } from "../../core/text.js";
import { partsOf } from "../../core/step_parts.js";

/** The texts of the parts. @type {Record<PartName, {title: string, says: string}>} */
const HOP_TEXT = {
  fixed: { title: "", says: "" },
  query: {
    title: "The query",
    says: "At the first hop the question; later what the hop before has made of it.",
  },
  scores: {
    title: "A score for every sentence",
    says: "Query times key: how well do the two match?",
  },
  weights: {
    title: "Softmax turns scores into weights",
    says: "The largest score is subtracted first, so that no exponential overflows; the weights sum to 1.",
  },
  context: {
    title: "The context",
    says: "Scale the value of each sentence by its weight and add them up.",
  },
  state: {
    title: "The next query",
    says: "The old query, multiplied by R, plus what was read; every other number is set to 0 where it is negative.",
  },
  word: {
    title: "The answer, if it stopped here",
    says: "The likeliest answers to the state after this hop.",
  },
};

/** @param {PartName} part @param {number} hop @param {number} hops */
function hopText(part, hop, hops) {
  const usual = HOP_TEXT[part];
  if (hop < hops) return usual;
  if (part === "state") return { ...usual, title: "The last state" };
  if (part === "word") return { title: "The answer", says: "The likeliest answers." };
  return usual;
}

/** @param {StoryScene} scene @param {number} row @returns {Chain} */
export function hopChain({ view, trace }, row) {
  const step = trace.steps[row];
  const scores = view.scores?.[row] ?? view.columns.map(() => null);
  const top = Math.max(...scores.map((score) => score ?? -Infinity));
  const keys = view.columns.map((item, column) => {
    const score = scores[column];
    const shifted = score === null ? null : score - top;
    return {
      item,
      score,
      shifted,
      exponential: shifted === null ? null : Math.exp(shifted),
      weight: view.weights?.[row]?.[column] ?? 0,
      later: false,
      memory: null,
      key: step?.keys?.[column] ?? null,
      value: step?.values?.[column] ?? null,
    };
  });
  return {
    parts: partsOf("before"),
    words: wordsOf(row + 1, view.rows.length),
    own: Boolean(step?.keys),
    layered: false,
    head: null,
    fed: "",
    keys,
    sum: keys.reduce((total, { exponential }) => total + (exponential ?? 0), 0),
    query: step?.query ?? null,
    context: step?.context ?? null,
    state: step?.state ?? null,
    before: null,
    fedBack: false,
    summed: true,
    alternatives: step?.alternatives ?? [],
    written: trace.steps.at(-1)?.alternatives[0]?.id ?? -1,
  };
}

/** @param {number} hop @param {number} hops @returns {StepWords} */
const wordsOf = (hop, hops) => ({
  text: (part) => hopText(part, hop, hops),
  query: hopVector("query", hop),
  context: hopVector("context", hop),
  state: hopVector("state", hop),
  key: ["m", "c", "sentence"],
  piece: "sentence",
  formula: (part, chain) => hopFormula(part, chain, hop),
});

/** The symbol and the meaning of a vector of a hop. @param {"query" | "context" | "state"} name @param {number} hop @returns {[string, string]} */
export function hopVector(name, hop) {
  if (name === "query")
    return [`u${below(hop)}`, hop === 1 ? "the question" : "the query of this hop"];
  return name === "context"
    ? [`o${below(hop)}`, "what was read"]
    : [`u${below(hop + 1)}`, "the state after it"];
}

/**
 * The formula of a part (Sukhbaatar et al. 2015, equations 1 to 4, with the matrix R of section 5).
 * @param {PartName} part @param {Chain} chain @param {number} hop @returns {(string | Symbol)[]}
 */
function hopFormula(part, chain, hop) {
  const vector = (/** @type {string} */ meaning, /** @type {Vector | null} */ value) =>
    value
      ? `${meaning}: ${value.size} numbers${value.norm === null ? "" : `, length ${value.norm.toFixed(2)}`}`
      : meaning;
  const best = chain.keys.reduce((most, key) => (key.weight > most.weight ? key : most));
  const u = { symbol: `u${below(hop)}`, meaning: vector("the query", chain.query) };
  const next = {
    symbol: `u${below(hop + 1)}`,
    meaning: vector("the state after this hop", chain.state),
  };
  const o = { symbol: `o${below(hop)}`, meaning: vector("what was read", chain.context) };
  const m = { symbol: "mⱼ", meaning: vector("the key of sentence j in this hop", best.key) };
  const c = { symbol: "cⱼ", meaning: vector("the value of sentence j in this hop", best.value) };
  const e = { symbol: "eⱼ", meaning: `the scores, up to ${best.score?.toFixed(2) ?? "?"}` };
  const a = { symbol: "αⱼ", meaning: `the weights, up to ${best.weight.toFixed(3)}` };
  const learned = (/** @type {string} */ symbol) => ({ symbol, meaning: "learned in training" });
  switch (part) {
    case "query":
      return [u];
    case "scores":
      return [e, " = ", u, " · ", m];
    case "weights":
      return [
        a,
        " = exp(",
        e,
        " − max e) / ",
        { symbol: "Σₖ exp(eₖ − max e)", meaning: `the sum: ${chain.sum.toFixed(3)}` },
      ];
    case "context":
      return [o, " = Σⱼ ", a, " ", c];
    case "state":
      return [next, " = ρ(", learned("R"), " ", u, " + ", o, ")"];
    default:
      return ["P(answer) = softmax(", learned("W"), " relu(", learned("V"), " ", next, "))"];
  }
}
