/** One decoding step as a chain of numbers, in the order they are computed. Pure. */

/** @import {Head} from "./head_step.js" */
/** @import {PartName} from "../../core/step_parts.js" */
/** @import {Alternative, Item, ChainScene, Model, Scene, Vector} from "../../core/types" */

import { formulaOfHead, headOf } from "./head_step.js";
import { hopChain } from "./hop_step.js";
import { nodeChain } from "./node_step.js";
import { layered, stepsOf } from "../../core/trace.js";
import { partsOf } from "../../core/step_parts.js";
import { tapeChain } from "./tape_step.js";

/**
 * @typedef {object} Key a token of the keys, and its numbers in this step
 * @property {Item} item
 * @property {number | null} score e @property {number | null} shifted e less the largest
 * @property {number | null} exponential exp of `shifted`
 * @property {number} weight α @property {boolean} later true if it is written after this step @property {Vector | null} memory h, if it is a token of the input
 * @property {Vector | null} key k @property {Vector | null} value v, of one head of several
 *
 * @typedef {object} Chain
 * @property {PartName[]} parts @property {StepWords | null} words of a model whose steps have texts of their own
 * @property {boolean} own true if every key has a vector k and a value v of its own @property {boolean} layered true for a Transformer
 * @property {Head | null} head the head, if there are several
 * @property {string} fed the last output, "" at the start
 * @property {Key[]} keys @property {number} sum of the exponentials
 * @property {Vector | null} query @property {Vector | null} context
 * @property {Vector | null} state s; for tokens of the input h, the output of the last layer @property {Vector | null} before the state of the previous step
 * @property {boolean} fedBack true if h̃, from which the last token was predicted, is an input of the state
 * @property {boolean} summed true if c is the sum of the α·h: with one head and without projections
 * @property {Alternative[]} alternatives @property {number} written id of the token that was chosen
 * @property {Partial<Record<PartName, Named[]>>} [more] further vectors of a part
 * @property {string} [others] a note about the keys that are not listed
 *
 * @typedef {object} Named a vector with its symbol and meaning
 * @property {string} symbol @property {string} meaning @property {Vector} value
 */

/**
 * The texts of the steps of a kind of model.
 * @typedef {object} StepWords
 * @property {(part: PartName) => {title: string, says: string}} text @property {(part: PartName, chain: Chain) => (string | Symbol)[]} formula
 * @property {[string, string]} query symbol and meaning @property {[string, string]} context @property {[string, string]} state
 * @property {[string, string, string]} key the symbols of key and value, and what has them @property {string} piece the word for a key
 */

/** @typedef {(scene: ChainScene, row: number) => Chain} ChainOf */

/** The steps of the kinds of models that have steps of their own. @type {Record<string, unknown>} */
const CHAINS = { sentences: hopChain, graph: nodeChain, reading: tapeChain };

/** @param {ChainScene} scene in tokens, not words @param {number} row @returns {Chain} */
export function chainOf(scene, row) {
  const chain = /** @type {ChainOf | undefined} */ (CHAINS[scene.kind.name]);
  return chain ? chain(scene, row) : tokenChain(/** @type {Scene} */ (scene), row);
}

/** @param {Scene} scene @param {number} row @returns {Chain} */
function tokenChain(scene, row) {
  const { view, output, trace } = scene;
  const [step] = stepsOf(scene, row);
  const scores = view.scores?.[row] ?? view.columns.map(() => null);
  const head = headOf(scene, row);
  const top = Math.max(...scores.map((score) => score ?? -Infinity));
  const reading = view.rowAxis === "source";
  const reads = view.columnAxis === "source" && !reading;
  const keys = view.columns.map((item, column) => {
    const score = scores[column];
    const shifted = score === null ? null : score - top;
    const exponential = shifted === null ? null : Math.exp(shifted);
    const weight = view.weights?.[row][column] ?? 0;
    return {
      item,
      score,
      shifted,
      exponential,
      weight,
      later: view.columnAxis === "decoder_input" && score === null && weight === 0,
      memory: (reads && trace.memory?.[column]) || null,
      key: head?.keys[column] ?? null,
      value: head?.values[column] ?? null,
    };
  });
  return {
    parts: partsOf(trace.model.order, layered(output), reading),
    words: null,
    own: head?.vectors === "present",
    layered: layered(output),
    head,
    fed: row > 0 && !reading ? view.rows[row - 1].text : "",
    keys,
    sum: keys.reduce((total, { exponential }) => total + (exponential ?? 0), 0),
    query: step?.query ?? null,
    context: step?.context ?? null,
    state: (reading ? head?.layer === head?.layers && trace.memory?.[row] : step?.state) || null,
    before: row > 0 && !layered(output) ? (output.steps[row - 1]?.state ?? null) : null,
    fedBack: scene.model.input_feeding,
    summed: trace.model.mechanism !== "multihead",
    alternatives: step?.alternatives ?? [],
    written: output.target.tokens[view.rows[row]?.tokens[0]]?.id ?? -1,
  };
}

/** The bars of a vector as a path around 0: each has width 1, and a value of `most` has height 1. @param {number[]} summary @param {number} most */
export const sparkPath = (summary, most) =>
  summary.map((value, place) => `M${place + 0.1} 0h.8v${(-value / most).toFixed(3)}h-.8z`).join("");

/** A symbol of a formula, with its meaning and its value in this step. @typedef {{symbol: string, meaning: string}} Symbol */

/**
 * The formula of the server, for the score of a mechanism without one in this file.
 * @param {Model} model @param {Symbol} query @param {Symbol} key @returns {(string | Symbol)[]}
 */
function scoreOf({ formula, paper }, query, key) {
  if (!formula) return ["score(", query, ", ", key, ")"];
  const meaning = `the score of a query q and a key k${paper ? ` (${paper})` : ""}`;
  return [{ symbol: formula, meaning }];
}

/**
 * The formula of a part: symbols with an explanation, and the signs between them.
 * @param {PartName} part @param {Chain} chain @param {Model} model @returns {(string | Symbol)[]}
 */
export function formula(part, chain, model) {
  if (chain.words) return chain.words.formula(part, chain);
  const vector = (/** @type {string} */ name, /** @type {Vector | null} */ value) =>
    value
      ? `${name}: ${value.size} numbers${value.norm === null ? "" : `, length ${value.norm.toFixed(2)}`}`
      : name;
  const strongest = chain.keys.reduce(
    (best, key) => (key.weight > (best?.weight ?? -1) ? key : best),
    /** @type {Key | null} */ (null),
  );
  const old = model.order === "before";
  // If the last token is a part of the query, the query is longer than a state.
  const both = chain.query !== null && chain.state !== null && chain.query.size > chain.state.size;
  const s = {
    symbol: both ? "[sₜ₋₁; yₜ₋₁]" : old ? "sₜ₋₁" : "sₜ",
    meaning: vector(
      both
        ? "the query: the old state and the last output token"
        : `the query: the ${old ? "old" : "new"} state`,
      chain.query,
    ),
  };
  const c = { symbol: "cₜ", meaning: vector("the context", chain.context) };
  const now =
    chain.head?.kind === "encoder-self"
      ? { symbol: "hₜ", meaning: vector("the encoder state", chain.state) }
      : { symbol: "sₜ", meaning: vector("the new state", chain.state) };
  const past = {
    symbol: "sₜ₋₁",
    meaning: chain.before
      ? vector("the state before", chain.before)
      : "the first state, computed from the input",
  };
  const y = {
    symbol: "yₜ₋₁",
    meaning: chain.fed ? `the last output: ${chain.fed.trim() || "a space"}` : "the start token",
  };
  const readout = {
    symbol: "h̃ₜ",
    meaning: "the vector that the word is predicted from; it is also an input of the next state",
  };
  const fedBack = {
    symbol: "h̃ₜ₋₁",
    meaning: chain.before
      ? "the vector that the last word was predicted from: state and context of the step before, joined"
      : "zeros at the first step",
  };
  const h = {
    symbol: "hⱼ",
    meaning: vector("encoder state hⱼ: the word in its context", strongest?.memory ?? null),
  };
  const e = {
    symbol: "eⱼ",
    meaning:
      strongest?.score == null
        ? "the score of j"
        : `the scores, up to ${strongest.score.toFixed(2)}`,
  };
  const a = {
    symbol: "αⱼ",
    meaning: strongest ? `the weights, up to ${strongest.weight.toFixed(3)}` : "the weights",
  };
  const sum = { symbol: "Σₖ exp(eₖ − max e)", meaning: `the sum: ${chain.sum.toFixed(3)}` };
  const learned = (/** @type {string} */ symbol) => ({
    symbol,
    meaning: "learned in training, the same at every step",
  });
  const ofHead = formulaOfHead(part, chain, { a, c, e, now, strongest, learned, vector });
  if (ofHead) return ofHead;
  switch (part) {
    case "fixed":
      return [c, " = c"];
    case "query":
      return [s];
    case "scores":
      switch (model.mechanism) {
        case "additive":
          return [
            e,
            " = ",
            learned("v"),
            "ᵀ tanh(",
            learned("W"),
            " ",
            s,
            " + ",
            learned("U"),
            " ",
            h,
            ")",
          ];
        case "concat":
          return [e, " = ", learned("v"), "ᵀ tanh(", learned("W"), " [", s, "; ", h, "])"];
        case "general":
          return [e, " = ", s, "ᵀ ", learned("W"), " ", h];
        case "dot":
          return [e, " = ", s, " · ", h];
        case "scaled":
          return [
            e,
            " = ",
            s,
            " · ",
            h,
            " / √",
            { symbol: "d", meaning: `the width: ${chain.query?.size ?? "?"}` },
          ];
        case "multihead":
          return [e, " = ", learned("W"), s, " · ", learned("W′"), h, " / √", learned("d")];
        default:
          return [e, " = ", ...scoreOf(model, s, h)];
      }
    case "weights":
      return [a, " = exp(", e, " − max e) / ", sum];
    case "context":
      return chain.summed
        ? [c, " = Σⱼ ", a, " ", h]
        : [c, " = ", learned("W"), " [head₁; …; head", String(model.heads), "]"];
    case "state":
      if (model.mechanism === "multihead") return [now];
      if (chain.fedBack) return [now, " = GRU(", past, ", [", y, "; ", fedBack, "])"];
      return old || model.order === "fixed"
        ? [now, " = GRU(", past, ", ", y, ", ", c, ")"]
        : [now, " = GRU(", past, ", ", y, ")"];
    case "word":
      if (chain.fedBack)
        return [
          readout,
          " = tanh(",
          learned("W"),
          " [",
          now,
          "; ",
          c,
          "]), P(word) = softmax(",
          learned("V"),
          " ",
          readout,
          ")",
        ];
      return [
        "P(word) = softmax(",
        learned("V"),
        " tanh(",
        learned("W"),
        " [",
        now,
        "; ",
        c,
        model.order === "after" ? "" : "; ",
        ...(model.order === "after" ? [] : [y]),
        "]))",
      ];
  }
}
