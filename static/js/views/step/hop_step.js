/** One hop of a memory network as a chain of numbers, with the texts of its parts. Pure. */

/** @import {StoryScene} from "../../core/types" */
/** @import {Chain, Facts, Formula} from "./model.js" */
/** @import {PartName} from "../../core/step_parts.js" */

import { below } from "../../core/text.js";
import { partsOf } from "../../core/step_parts.js";
import { keysOf, usualContents } from "./model.js";
import { SOFTMAX, learned, scoreSymbols, sized, softmaxFormula } from "./symbols.js";

/** The texts of the parts. @type {Record<PartName, {title: string, says: string}>} */
const TEXTS = {
  fixed: { title: "", says: "" },
  query: {
    title: "The query",
    says: "At the first hop the question; later what the hop before has made of it.",
  },
  scores: {
    title: "A score for every sentence",
    says: "Query times key: how well do the two match?",
  },
  weights: SOFTMAX,
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
/** Those of the last hop. @type {Partial<typeof TEXTS>} */
const LAST = {
  state: { ...TEXTS.state, title: "The last state" },
  word: { title: "The answer", says: "The likeliest answers." },
};

/** @param {StoryScene} scene @param {number} row @returns {Chain} */
export function stepOf({ view, trace }, row) {
  const step = trace.steps[row];
  const hop = row + 1;
  const parts = partsOf("before");
  /** @type {Facts} */
  const facts = {
    ...keysOf(view.columns, view.scores?.[row], view.weights?.[row], (column) => ({
      key: step?.keys?.[column] ?? null,
      value: step?.values?.[column] ?? null,
    })),
    names: {
      query: hopVector("query", hop),
      context: hopVector("context", hop),
      state: hopVector("state", hop),
      key: ["m", "c", "sentence"],
      piece: "sentence",
    },
    own: Boolean(step?.keys),
    summed: true,
    query: step?.query ?? null,
    context: step?.context ?? null,
    state: step?.state ?? null,
    alternatives: step?.alternatives ?? [],
    written: trace.steps.at(-1)?.alternatives[0]?.id ?? -1,
  };
  const last = hop === view.rows.length ? LAST : {};
  return {
    ...facts,
    parts,
    left: parts.indexOf("scores") + 1,
    textOf: (part) => ({ ...(last[part] ?? TEXTS[part]), formula: formulaOf(part, facts, hop) }),
    contentsOf: (part) => usualContents(part, facts),
    lines: {
      query: { does: hop === 1 ? "The question is the query." : "The last state is the query." },
      context: { does: "The value of each sentence is scaled by its weight, and all are added." },
      state: { does: "The query and what was read make the next query." },
      word: { name: "Answer", does: "The state makes the answer." },
    },
  };
}

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
 * @param {PartName} part @param {Facts} facts @param {number} hop @returns {Formula}
 */
function formulaOf(part, { keys, sum, query, context, state }, hop) {
  const { best, e, a } = scoreSymbols(keys);
  const u = { symbol: `u${below(hop)}`, meaning: sized("the query", query) };
  const next = { symbol: `u${below(hop + 1)}`, meaning: sized("the state after this hop", state) };
  const o = { symbol: `o${below(hop)}`, meaning: sized("what was read", context) };
  const m = { symbol: "mⱼ", meaning: sized("the key of sentence j in this hop", best?.key) };
  const c = { symbol: "cⱼ", meaning: sized("the value of sentence j in this hop", best?.value) };
  switch (part) {
    case "query":
      return [u];
    case "scores":
      return [e, " = ", u, " · ", m];
    case "weights":
      return softmaxFormula(a, e, sum);
    case "context":
      return [o, " = Σⱼ ", a, " ", c];
    case "state":
      return [next, " = ρ(", learned("R"), " ", u, " + ", o, ")"];
    default:
      return ["P(answer) = softmax(", learned("W"), " relu(", learned("V"), " ", next, "))"];
  }
}
