/** The update of one node of a graph by a layer as a chain of numbers, with the texts of its parts. Pure. */

/** @import {GraphScene, Vector} from "../../core/types" */
/** @import {Chain, StepWords, Symbol} from "./step_model.js" */
/** @import {PartName} from "../../core/step_parts.js" */

import { partsOf } from "../../core/step_parts.js";

/** The texts of the parts. @type {Record<PartName, {title: string, says: string}>} */
const NODE_TEXT = {
  fixed: { title: "", says: "" },
  query: {
    title: "The query of the node",
    says: "The state of the node before this layer, multiplied by a matrix of the head.",
  },
  scores: {
    title: "A score for each neighbour, and for itself",
    says: "Query and key are added, and negative numbers shrunk to a fifth; a vector of the head weighs the result.",
  },
  weights: {
    title: "Softmax turns scores into weights",
    says: "Among the neighbours alone: no edge, no weight. The weights sum to 1.",
  },
  context: {
    title: "The weighted sum",
    says: "The key of each neighbour is its value, too: scale each by its weight and add them up.",
  },
  state: {
    title: "The state after the last layer",
    says: "The sums of all heads stand side by side; the state of the node, multiplied by a matrix, is added. The trace contains the result of the last layer.",
  },
  word: { title: "The class", says: "The classes by their probability, after the last layer." },
};

/** @param {GraphScene} scene @param {number} row @returns {Chain} */
export function nodeChain({ view, trace, picked, pool, layers, heads }, row) {
  const step = trace.steps[row];
  const map = pool ? null : picked;
  const scores = view.scores?.[row] ?? view.columns.map(() => null);
  const read = view.columns.flatMap((_, column) =>
    (view.weights?.[row]?.[column] ?? 0) > 0 ? [column] : [],
  );
  const top = Math.max(...read.map((column) => scores[column] ?? -Infinity));
  const keys = read.map((column) => {
    const score = scores[column];
    const shifted = score === null ? null : score - top;
    return {
      item: view.columns[column],
      score,
      shifted,
      exponential: shifted === null ? null : Math.exp(shifted),
      weight: view.weights?.[row]?.[column] ?? 0,
      later: false,
      memory: null,
      key: map?.keys?.[column] ?? null,
      value: map?.values?.[column] ?? null,
    };
  });
  const which = {
    layer: (picked?.layer ?? 0) + 1,
    head: (picked?.head ?? 0) + 1,
    pooled: Boolean(pool),
  };
  const sizes = { layers: layers.length, heads: heads.length };
  return {
    parts: partsOf("before"),
    words: wordsOf({ ...which, ...sizes }),
    own: Boolean(map?.keys),
    layered: false,
    head: null,
    fed: "",
    keys,
    sum: keys.reduce((total, { exponential }) => total + (exponential ?? 0), 0),
    query: map?.queries?.[row] ?? null,
    context: summed(keys),
    state: step?.state ?? null,
    before: null,
    fedBack: false,
    summed: true,
    alternatives: step?.alternatives ?? [],
    written: step?.alternatives[0]?.id ?? -1,
  };
}

/** The weighted sum of the values; null where there are none. @param {Chain["keys"]} keys @returns {Vector | null} */
function summed(keys) {
  const [first] = keys;
  if (!first?.value || keys.some(({ value }) => !value)) return null;
  const summary = first.value.summary.map((_, place) =>
    keys.reduce((total, { weight, value }) => total + weight * (value?.summary[place] ?? 0), 0),
  );
  return { size: first.value.size, norm: null, summary };
}

/**
 * @param {{layer: number, layers: number, head: number, heads: number, pooled: boolean}} which
 * @returns {StepWords}
 */
function wordsOf({ layer, layers, head, heads, pooled }) {
  const name = pooled ? `layer ${layer}` : `head ${head} of layer ${layer}`;
  return {
    text: (part) => {
      const usual = NODE_TEXT[part];
      if (pooled && (part === "query" || part === "scores" || part === "context"))
        return {
          ...usual,
          says: "Each head has numbers of its own. Choose a single head to see them.",
        };
      if (part === "query") return { ...usual, title: `The query of ${name}` };
      if (part === "state" && layer < layers)
        return {
          ...usual,
          says: `After this layer ${layers - layer === 1 ? "comes one more" : `come ${layers - layer} more`}. ${usual.says}`,
        };
      return usual;
    },
    query: ["q", `the query of ${name}`],
    context: ["Σ α·k", `the sum of ${name}, one of ${heads} heads`],
    state: ["h′", "the state of the node after the last layer"],
    key: ["k", "k", "neighbour"],
    piece: "node",
    formula: nodeFormula,
  };
}

/**
 * The formula of a part (Brody et al. 2022, equation 7; Veličković et al. 2018, equation 5).
 * @param {PartName} part @param {Chain} chain @returns {(string | Symbol)[]}
 */
function nodeFormula(part, chain) {
  const size = (/** @type {string} */ meaning, /** @type {Vector | null} */ value) =>
    value ? `${meaning}: ${value.size} numbers` : meaning;
  const best = chain.keys.reduce((most, key) => (key.weight > most.weight ? key : most));
  const learned = (/** @type {string} */ symbol) => ({ symbol, meaning: "learned in training" });
  const h = { symbol: "h", meaning: "the state of the node before this layer" };
  const q = { symbol: "q", meaning: size("the query", chain.query) };
  const k = { symbol: "kⱼ", meaning: size("the key of neighbour j, its value, too", best.key) };
  const e = { symbol: "eⱼ", meaning: `the scores, up to ${best.score?.toFixed(2) ?? "?"}` };
  const a = { symbol: "αⱼ", meaning: `the weights, up to ${best.weight.toFixed(3)}` };
  const c = { symbol: "c", meaning: size("the weighted sum", chain.context) };
  const next = { symbol: "h′", meaning: size("the state of the node", chain.state) };
  const total = { symbol: "Σₖ exp(eₖ − max e)", meaning: `the sum: ${chain.sum.toFixed(3)}` };
  switch (part) {
    case "query":
      return [q, " = ", learned("W"), " ", h];
    case "scores":
      return [e, " = ", learned("a"), " · LeakyReLU(", q, " + ", k, ")"];
    case "weights":
      return [a, " = exp(", e, " − max e) / ", total];
    case "context":
      return [c, " = Σⱼ ", a, " ", k];
    case "state":
      return [next, " = ELU(", learned("S"), " ", h, " + [c₁; c₂; …])"];
    default:
      return ["P(class) = softmax(", learned("V"), " ", next, ")"];
  }
}
