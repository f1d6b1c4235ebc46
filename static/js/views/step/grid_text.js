/** The title, the formula and the explanation of each part of a captioner's step. Pure. */

/** @import {PictureScene} from "../../core/types" */
/** @import {PictureChain} from "./grid_model.js" */
/** @import {PartName} from "./parts.js" */

import { scoreFormula } from "./grid_model.js";

/** @type {Partial<Record<PartName, (chain: PictureChain, scene: PictureScene) => {title: string, formula: string, says: string}>>} */
export const GRID_TEXT = {
  query: (_, { model }) => ({
    title: "The decoder’s state asks (the query)",
    formula: model.order === "before" ? "sₜ₋₁" : "q",
    says: "This vector contains the caption so far; as the query, it decides where to look next.",
  }),
  scores: (_, { model }) => ({
    title: "A score for every cell",
    formula: scoreFormula(model),
    says: "How well does each cell match the query? The stronger the colour, the better.",
  }),
  weights: (_, { picked }) =>
    picked?.kind === "drawn"
      ? {
          title: "How often each cell was drawn",
          formula: "αⱼ = draws of j / all draws",
          says: "Hard attention attends to one cell, drawn at random. Many draws show the distribution.",
        }
      : {
          title: "Softmax turns scores into weights",
          formula: "αⱼ = exp(eⱼ − max e) / Σₖ exp(eₖ − max e)",
          says: "The largest score is subtracted first, so that no exponential overflows; the weights sum to 1.",
        },
  context: ({ drawn, gate }) =>
    drawn
      ? {
          title: "One cell is drawn",
          formula: "j ~ α,  c = aⱼ",
          says: "Nothing is averaged: one cell is drawn with the probability of its weight, and only that one is used.",
        }
      : {
          title: "The weighted sum of the regions",
          formula: gate === null ? "c = Σⱼ αⱼ aⱼ" : "β · c = β Σⱼ αⱼ aⱼ",
          says: "Scale each region by its weight and add them up: the context vector.",
        },
  state: () => ({
    title: "The new state",
    formula: "sₜ",
    says: "Its inputs are the context vector and the last word.",
  }),
  word: () => ({ title: "The next word", formula: "P(word)", says: "The most probable tokens." }),
};
