/** One decoding step as a chain of numbers, in the order they are computed. Pure. */

/** @import {Head} from "./head_step.js" */
/** @import {PartName} from "./parts.js" */
/** @import {Alternative, Item, Model, Scene, Vector} from "../../core/types" */

import { formulaOfHead, headOf } from "./head_step.js";
import { layered, stepsOf } from "../../core/trace.js";
import { partsOf } from "./parts.js";

/**
 * @typedef {object} Key one token that was read, and what this step made of it
 * @property {Item} item
 * @property {number | null} score e @property {number | null} shifted e less the largest
 * @property {number | null} exponential e to the power of that
 * @property {number} weight α @property {boolean} later whether it is written only later @property {Vector | null} memory h, where it is a token read
 * @property {Vector | null} key k @property {Vector | null} value v, of one head of several
 *
 * @typedef {object} Chain
 * @property {PartName[]} parts @property {boolean} layered whether the decoder is a Transformer's
 * @property {Head | null} head which of several heads this is about
 * @property {string} fed what was written before, "" at the start
 * @property {Key[]} keys @property {number} sum of the exponentials
 * @property {Vector | null} query @property {Vector | null} context
 * @property {Vector | null} state s; of what is read h, which comes out of the last layer @property {Vector | null} before the state of the step before
 * @property {boolean} fedBack whether h̃, which the last token was read from, goes into the state as well
 * @property {boolean} summed whether c is the sum of the α·h: with one head and nothing projected
 * @property {Alternative[]} alternatives @property {number} written id of the token that was chosen
 */

/** @param {Scene} scene in tokens, not words @param {number} row @returns {Chain} */
export function chainOf(scene, row) {
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

/** The bars of a vector, one wide each and as high as `most` is 1, around 0. @param {number[]} picture @param {number} most */
export const sparkPath = (picture, most) =>
  picture.map((value, place) => `M${place + 0.1} 0h.8v${(-value / most).toFixed(3)}h-.8z`).join("");

/** A symbol of a formula: what it is, and its value in this step. @typedef {{symbol: string, meaning: string}} Symbol */

/**
 * The formula of a part, cut into symbols that can be pointed at and the signs between them.
 * @param {PartName} part @param {Chain} chain @param {Model} model @returns {(string | Symbol)[]}
 */
export function formula(part, chain, model) {
  const vector = (/** @type {string} */ name, /** @type {Vector | null} */ value) =>
    value
      ? `${name}: ${value.size} numbers${value.norm === null ? "" : `, length ${value.norm.toFixed(2)}`}`
      : name;
  const strongest = chain.keys.reduce(
    (best, key) => (key.weight > (best?.weight ?? -1) ? key : best),
    /** @type {Key | null} */ (null),
  );
  const old = model.order === "before";
  // Where the token written last asks as well, the query is longer than a state.
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
    case "ask":
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
        default:
          return [e, " = ", learned("W"), s, " · ", learned("W′"), h, " / √", learned("d")];
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
