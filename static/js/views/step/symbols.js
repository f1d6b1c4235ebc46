/** Symbols and texts that the formulas of several kinds of models have in common. Pure. */

/** @import {Vector} from "../../core/types" */
/** @import {Formula, Key, Symbol} from "./model.js" */

/** A matrix or vector of the weights. @param {string} symbol @returns {Symbol} */
export const learned = (symbol) => ({ symbol, meaning: "learned in training" });

/** The same in a decoder, which takes it again at each step. @param {string} symbol @returns {Symbol} */
export const learnedOnce = (symbol) => ({
  symbol,
  meaning: "learned in training, the same at every step",
});

/** The meaning of a vector, with its size. @param {string} meaning @param {Vector | null | undefined} value */
export const counted = (meaning, value) => (value ? `${meaning}: ${value.size} numbers` : meaning);

/** The same with its length. @param {string} meaning @param {Vector | null | undefined} value */
export const sized = (meaning, value) =>
  `${counted(meaning, value)}${value && value.norm !== null ? `, length ${value.norm.toFixed(2)}` : ""}`;

export const SOFTMAX = {
  title: "Softmax turns scores into weights",
  says: "The largest score is subtracted first, so that no exponential overflows; the weights sum to 1.",
};

/** The formula of the softmax. @param {Symbol} a @param {Symbol} e @param {number} sum of the exponentials @returns {Formula} */
export const softmaxFormula = (a, e, sum) => [
  a,
  " = exp(",
  e,
  " − max e) / ",
  { symbol: "Σₖ exp(eₖ − max e)", meaning: `the sum: ${sum.toFixed(3)}` },
];

/** The symbols of scores and weights, and the strongest key. @param {Key[]} keys */
export function scoreSymbols(keys) {
  const best = keys.reduce(
    (most, key) => (key.weight > (most?.weight ?? -1) ? key : most),
    /** @type {Key | null} */ (null),
  );
  return {
    best,
    e: {
      symbol: "eⱼ",
      meaning:
        best?.score == null ? "the score of j" : `the scores, up to ${best.score.toFixed(2)}`,
    },
    a: {
      symbol: "αⱼ",
      meaning: best ? `the weights, up to ${best.weight.toFixed(3)}` : "the weights",
    },
  };
}
