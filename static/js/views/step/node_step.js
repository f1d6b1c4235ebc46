/** The update of one node of a graph by a layer as a chain of numbers, with the texts of its parts. Pure. */

/** @import {GraphScene} from "../../core/types" */
/** @import {Chain, Facts, Formula, Key} from "./model.js" */
/** @import {PartName} from "../../core/step_parts.js" */

import { partsOf } from "../../core/step_parts.js";
import { keysOf, sumOf, usualContents } from "./model.js";
import { SOFTMAX, counted, learned, scoreSymbols, softmaxFormula } from "./symbols.js";

/** The texts of the parts. @type {Record<PartName, {title: string, says: string}>} */
const TEXTS = {
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
    ...SOFTMAX,
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
export function stepOf(scene, row) {
  const { view, trace, picked, pool, layers, heads } = scene;
  const step = trace.steps[row];
  const map = pool ? null : picked;
  const weights = view.columns.map((_, column) => view.weights?.[row]?.[column] ?? 0);
  // The nodes without an edge to this one have no numbers.
  const read = weights.flatMap((weight, column) => (weight > 0 ? [column] : []));
  const { keys, sum } = keysOf(
    read.map((column) => view.columns[column]),
    read.map((column) => view.scores?.[row]?.[column] ?? null),
    read.map((column) => weights[column]),
    (index) => ({
      key: map?.keys?.[read[index]] ?? null,
      value: map?.values?.[read[index]] ?? null,
    }),
  );
  const which = {
    layer: (picked?.layer ?? 0) + 1,
    head: (picked?.head ?? 0) + 1,
    pooled: Boolean(pool),
    more: layers.length - (picked?.layer ?? 0) - 1,
  };
  const name = pool ? `layer ${which.layer}` : `head ${which.head} of layer ${which.layer}`;
  const parts = partsOf("before");
  /** @type {Facts} */
  const facts = {
    keys,
    sum,
    names: {
      query: ["q", `the query of ${name}`],
      context: ["Σ α·k", `the sum of ${name}, one of ${heads.length} heads`],
      state: ["h′", "the state of the node after the last layer"],
      key: ["k", "k", "neighbour"],
      piece: "node",
    },
    own: Boolean(map?.keys),
    summed: true,
    query: map?.queries?.[row] ?? null,
    context: summed(keys),
    state: step?.state ?? null,
    alternatives: step?.alternatives ?? [],
    written: step?.alternatives[0]?.id ?? -1,
  };
  return {
    ...facts,
    parts,
    left: parts.indexOf("scores") + 1,
    textOf: (part) => ({ ...textOf(part, name, which), formula: formulaOf(part, facts) }),
    contentsOf: (part) => usualContents(part, facts),
    lines: {
      scores: { does: "The query is compared with every neighbour, and with the node itself." },
      state: { does: "The sums of all heads are added to the state of the node." },
      word: { name: "Class", does: "The state makes the class." },
    },
  };
}

/** The weighted sum of the values; null where there are none. @param {Key[]} keys */
function summed(keys) {
  const values = keys.flatMap(({ value }) => value ?? []);
  const all = values.length === keys.length;
  return all
    ? sumOf(
        values,
        keys.map(({ weight }) => weight),
      )
    : null;
}

/** @param {PartName} part @param {string} name @param {{pooled: boolean, more: number}} which `more`: the layers to come */
function textOf(part, name, { pooled, more }) {
  const usual = TEXTS[part];
  if (pooled && (part === "query" || part === "scores" || part === "context"))
    return {
      ...usual,
      says: "Each head has numbers of its own. Choose a single head to see them.",
    };
  if (part === "query") return { ...usual, title: `The query of ${name}` };
  if (part !== "state" || !more) return usual;
  const layers = more === 1 ? "comes one more" : `come ${more} more`;
  return { ...usual, says: `After this layer ${layers}. ${usual.says}` };
}

/**
 * The formula of a part (Brody et al. 2022, equation 7; Veličković et al. 2018, equation 5).
 * @param {PartName} part @param {Facts} facts @returns {Formula}
 */
function formulaOf(part, { keys, sum, query, context, state }) {
  const { best, e, a } = scoreSymbols(keys);
  const h = { symbol: "h", meaning: "the state of the node before this layer" };
  const q = { symbol: "q", meaning: counted("the query", query) };
  const k = { symbol: "kⱼ", meaning: counted("the key of neighbour j, its value, too", best?.key) };
  const c = { symbol: "c", meaning: counted("the weighted sum", context) };
  const next = { symbol: "h′", meaning: counted("the state of the node", state) };
  switch (part) {
    case "query":
      return [q, " = ", learned("W"), " ", h];
    case "scores":
      return [e, " = ", learned("a"), " · LeakyReLU(", q, " + ", k, ")"];
    case "weights":
      return softmaxFormula(a, e, sum);
    case "context":
      return [c, " = Σⱼ ", a, " ", k];
    case "state":
      return [next, " = ELU(", learned("S"), " ", h, " + [c₁; c₂; …])"];
    default:
      return ["P(class) = softmax(", learned("V"), " ", next, ")"];
  }
}
