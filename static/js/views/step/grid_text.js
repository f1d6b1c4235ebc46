/** The title, the formula and the explanation of each part of a captioner's step. Pure. */

/** @import {PictureScene, Vector} from "../../core/types" */
/** @import {PictureChain} from "./grid_model.js" */
/** @import {PartName} from "../../core/step_parts.js" */
/** @import {Symbol} from "./step_model.js" */

import { outputName } from "../../core/decoding.js";
import { signed } from "../../core/text.js";

/** @typedef {(string | Symbol)[]} Formula */
/** @typedef {{title: string, formula: Formula, says: string}} GridText */

/** @type {Record<Exclude<PartName, "fixed">, (chain: PictureChain, scene: PictureScene) => GridText>} */
const TEXTS = {
  query: (chain, { model }) => ({
    title: "The decoder’s state asks (the query)",
    formula: [queryOf(chain, model)],
    says: `This vector contains the ${outputName(model)} so far; as the query, it decides where to look next.`,
  }),
  scores: (chain, { model }) => ({
    title: "A score for every cell",
    formula: scoreFormula(chain, model),
    says: "How well does each cell match the query? The stronger the colour, the better.",
  }),
  weights: (chain, { picked }) =>
    picked?.kind === "drawn"
      ? {
          title: "How often each cell was drawn",
          formula: [weightOf(chain), " = draws of j / all draws"],
          says: "Hard attention attends to one cell, drawn at random. Many draws show the distribution.",
        }
      : {
          title: "Softmax turns scores into weights",
          formula: [
            weightOf(chain),
            " = exp(",
            scoreOf(chain),
            " − max e) / ",
            { symbol: "Σₖ exp(eₖ − max e)", meaning: `the sum: ${chain.sum.toFixed(3)}` },
          ],
          says: "The largest score is subtracted first, so that no exponential overflows; the weights sum to 1.",
        },
  context: (chain) => (chain.drawn ? drawnCell(chain, chain.drawn.cell) : weightedSum(chain)),
  state: (chain) => ({
    title: "The new state",
    formula: [{ symbol: "sₜ", meaning: sized("the new state", chain.state) }],
    says: "Its inputs are the context vector and the last word.",
  }),
  word: ({ alternatives, written }) => {
    const chosen = alternatives.find(({ id }) => id === written);
    const meaning = chosen
      ? `of the token that was written: ${chosen.probability.toFixed(3)}`
      : "a probability for every token of the vocabulary";
    return {
      title: "The next word",
      formula: [{ symbol: "P(word)", meaning }],
      says: "The most probable tokens.",
    };
  },
};

/** @param {PartName} name @param {PictureChain} chain @param {PictureScene} scene @returns {GridText} */
export const gridText = (name, chain, scene) =>
  name === "fixed" ? { title: "", formula: [], says: "" } : TEXTS[name](chain, scene);

/** @param {PictureChain} chain @param {number} cell @returns {GridText} */
const drawnCell = (chain, cell) => ({
  title: "One cell is drawn",
  formula: [
    { symbol: "j", meaning: `the cell that was drawn: number ${cell + 1}` },
    " ~ ",
    weightOf(chain),
    ", ",
    contextOf(chain),
    " = ",
    REGION,
  ],
  says: "Nothing is averaged: one cell is drawn with the probability of its weight, and only that one is used.",
});

/** @param {PictureChain} chain @returns {GridText} */
function weightedSum(chain) {
  const sum = [" = ", "Σⱼ ", weightOf(chain), " ", REGION];
  const beta = {
    symbol: "β",
    meaning: `the gate: ${chain.gate?.toFixed(3)}, how much the picture counts for this word`,
  };
  return {
    title: "The weighted sum of the regions",
    formula:
      chain.gate === null
        ? [contextOf(chain), ...sum]
        : [beta, " · ", contextOf(chain), " = ", beta, " ", ...sum.slice(1)],
    says: "Scale each region by its weight and add them up: the context vector.",
  };
}

const REGION = { symbol: "aⱼ", meaning: "the vector of cell j, from the image encoder" };

/** @param {string} name @param {Vector | null} value */
const sized = (name, value) =>
  value
    ? `${name}: ${value.size} numbers${value.norm === null ? "" : `, length ${value.norm.toFixed(2)}`}`
    : name;

/** @param {PictureChain} chain @returns {Symbol} */
const contextOf = ({ context }) => ({ symbol: "c", meaning: sized("the context vector", context) });

/** @param {PictureChain} chain @returns {Symbol} */
function weightOf({ cells }) {
  const most = Math.max(0, ...cells.map(({ weight }) => weight));
  return { symbol: "αⱼ", meaning: `the weights, up to ${most.toFixed(3)}` };
}

/** @param {PictureChain} chain @returns {Symbol} */
function scoreOf({ cells }) {
  const scores = cells.flatMap(({ score }) => score ?? []);
  return {
    symbol: "eⱼ",
    meaning: scores.length
      ? `the scores, from ${signed(Math.min(...scores), 2)} to ${signed(Math.max(...scores), 2)}`
      : "the scores, which the trace does not contain",
  };
}

/** @param {PictureChain} chain @param {{order: string}} model @returns {Symbol} */
const queryOf = ({ query }, { order }) =>
  order === "before"
    ? { symbol: "sₜ₋₁", meaning: sized("the query: the state after the word before", query) }
    : { symbol: "q", meaning: sized("the query", query) };

/** @param {string} symbol @returns {Symbol} */
const learned = (symbol) => ({ symbol, meaning: "learned in training, the same at every step" });

/**
 * The score of the model: for a mechanism that is not listed here, the formula of the server.
 * @param {PictureChain} chain @param {{mechanism: string, order: string, formula?: string, paper?: string}} model
 * @returns {Formula}
 */
export function scoreFormula(chain, model) {
  const [e, query] = [scoreOf(chain), queryOf(chain, model)];
  const { mechanism, formula, paper } = model;
  switch (mechanism) {
    case "soft":
    case "hard":
      return [
        e,
        " = ",
        learned("v"),
        "ᵀ tanh(",
        learned("W"),
        " ",
        query,
        " + ",
        learned("U"),
        " ",
        REGION,
        ")",
      ];
    case "multihead":
      return [
        e,
        " = ",
        { symbol: "q", meaning: "the query of a head" },
        " · ",
        { symbol: "kⱼ", meaning: "the key of cell j in this head" },
        " / √",
        { symbol: "d", meaning: "the width of a head" },
      ];
    default:
      return [
        e,
        " = ",
        formula
          ? {
              symbol: formula,
              meaning: `the score of a query and a key${paper ? ` (${paper})` : ""}`,
            }
          : "score(s, aⱼ)",
      ];
  }
}
