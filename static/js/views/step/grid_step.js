/** One token of a captioner's output as a chain of numbers, with the texts of its parts. Pure. */

/** @import {Item, PictureScene} from "../../core/types" */
/** @import {Cell} from "./cells.js" */
/** @import {Chain, Content, Facts, Formula, PartText, Symbol} from "./model.js" */
/** @import {PartName} from "../../core/step_parts.js" */

import { outputName } from "../../core/decoding.js";
import { rowAndColumn } from "../../core/grid.js";
import { gridPartsOf } from "../../core/step_parts.js";
import { heading, signed } from "../../core/text.js";
import { items } from "../../core/trace.js";
import { cellsOf } from "./cells.js";
import { softmaxed, usualContents } from "./model.js";
import { SOFTMAX, learnedOnce as learned, sized, softmaxFormula } from "./symbols.js";

/** Number of alternatives that are shown. */
const ALTERNATIVES = 5;

/** @typedef {Facts & {cells: Cell[], gate: number | null, fed: Item | null}} GridFacts `fed`: the piece before */

/** @param {PictureScene} scene @param {number} row @returns {Chain & GridFacts} */
export function stepOf(scene, row) {
  const { weights, scores, output, trace, picked } = scene;
  const token = scene.pieces[row] ?? 0;
  const step = output.steps[token];
  const { numbers, sum } = softmaxed(scores?.[row], weights[row] ?? []);
  const gate = step?.gate ?? null;
  /** @type {GridFacts} */
  const facts = {
    keys: [],
    cells: numbers.map((each, cell) => ({ cell, ...each })),
    sum,
    names: {
      query: ["query", "the decoder’s query"],
      context: [gate === null ? "c" : "β · c", "the context vector"],
      state: ["s", "the new state"],
      key: ["k", "v", "head"],
      piece: "cell",
    },
    own: false,
    summed: true,
    gate,
    drawn: step?.drawn ?? null,
    query: step?.query ?? null,
    context: step?.context ?? null,
    state: step?.state ?? null,
    alternatives: step?.alternatives ?? [],
    written: output.target.tokens[token]?.id ?? -1,
    fed: token > 0 ? items(output.target, "subwords")[token - 1] : null,
  };
  const parts = gridPartsOf(trace.model.order, picked?.kind === "drawn");
  return {
    ...facts,
    parts,
    left: parts.indexOf("weights") + 1 || 1,
    explained: true,
    textOf: (part) =>
      part === "fixed" ? { title: "", formula: [], says: "" } : TEXTS[part](facts, scene),
    contentsOf: (part) => contentsOf(part, facts, scene, row),
    lines: facts.drawn ? { context: drawnLine(trace.source, facts.drawn.cell) } : {},
  };
}

/** Hard attention draws a cell. @param {PictureScene["trace"]["source"]} axis @param {number} cell */
const drawnLine = (axis, cell) => ({
  name: "Draw",
  does: "One cell is drawn, with the probability of its weight.",
  result: rowAndColumn(axis, cell),
});

/** @param {PartName} part @param {GridFacts} facts @param {PictureScene} scene @param {number} row @returns {Content[]} */
function contentsOf(part, facts, { rows, trace }, row) {
  const { fed, gate, alternatives } = facts;
  const usual = usualContents(part, {
    ...facts,
    alternatives: alternatives.slice(0, ALTERNATIVES),
  });
  switch (part) {
    case "query":
      return fed ? [{ after: heading(fed).text, page: true }, ...usual] : usual;
    case "scores":
      return cellsOf(part, facts, trace.source);
    case "weights":
      return [...cellsOf(part, facts, trace.source), { digits: true, page: true }];
    case "context":
      return [
        ...cellsOf(part, facts, trace.source),
        ...(gate === null ? [] : [{ gate }]),
        ...usual,
      ];
    case "word":
      return [...usual, { aloud: `Written: ${heading(rows[row]).text}`, page: true }];
    default:
      return usual;
  }
}

/** The texts of the parts. @type {Record<Exclude<PartName, "fixed">, (facts: GridFacts, scene: PictureScene) => PartText>} */
const TEXTS = {
  query: (facts, { model }) => ({
    title: "The decoder’s state asks (the query)",
    formula: [queryOf(facts, model)],
    says: `This vector contains the ${outputName(model)} so far; as the query, it decides where to look next.`,
  }),
  scores: (facts, { model }) => ({
    title: "A score for every cell",
    formula: scoreFormula(facts, model),
    says: "How well does each cell match the query? The stronger the colour, the better.",
  }),
  weights: (facts, { picked }) =>
    picked?.kind === "drawn"
      ? {
          title: "How often each cell was drawn",
          formula: [weightOf(facts), " = draws of j / all draws"],
          says: "Hard attention attends to one cell, drawn at random. Many draws show the distribution.",
        }
      : {
          ...SOFTMAX,
          formula: softmaxFormula(weightOf(facts), scoreOf(facts), facts.sum),
        },
  context: (facts) => (facts.drawn ? drawnCell(facts, facts.drawn.cell) : weightedSum(facts)),
  state: (facts) => ({
    title: "The new state",
    formula: [{ symbol: "sₜ", meaning: sized("the new state", facts.state) }],
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

/** @param {GridFacts} facts @param {number} cell @returns {PartText} */
const drawnCell = (facts, cell) => ({
  title: "One cell is drawn",
  formula: [
    { symbol: "j", meaning: `the cell that was drawn: number ${cell + 1}` },
    " ~ ",
    weightOf(facts),
    ", ",
    contextOf(facts),
    " = ",
    REGION,
  ],
  says: "Nothing is averaged: one cell is drawn with the probability of its weight, and only that one is used.",
});

/** @param {GridFacts} facts @returns {PartText} */
function weightedSum(facts) {
  const sum = [" = ", "Σⱼ ", weightOf(facts), " ", REGION];
  const beta = {
    symbol: "β",
    meaning: `the gate: ${facts.gate?.toFixed(3)}, how much the picture counts for this word`,
  };
  return {
    title: "The weighted sum of the regions",
    formula:
      facts.gate === null
        ? [contextOf(facts), ...sum]
        : [beta, " · ", contextOf(facts), " = ", beta, " ", ...sum.slice(1)],
    says: "Scale each region by its weight and add them up: the context vector.",
  };
}

const REGION = { symbol: "aⱼ", meaning: "the vector of cell j, from the image encoder" };

/** @param {GridFacts} facts @returns {Symbol} */
const contextOf = ({ context }) => ({ symbol: "c", meaning: sized("the context vector", context) });

/** @param {GridFacts} facts @returns {Symbol} */
function weightOf({ cells }) {
  const most = Math.max(0, ...cells.map(({ weight }) => weight));
  return { symbol: "αⱼ", meaning: `the weights, up to ${most.toFixed(3)}` };
}

/** @param {GridFacts} facts @returns {Symbol} */
function scoreOf({ cells }) {
  const scores = cells.flatMap(({ score }) => score ?? []);
  return {
    symbol: "eⱼ",
    meaning: scores.length
      ? `the scores, from ${signed(Math.min(...scores), 2)} to ${signed(Math.max(...scores), 2)}`
      : "the scores, which the trace does not contain",
  };
}

/** @param {GridFacts} facts @param {{order: string}} model @returns {Symbol} */
const queryOf = ({ query }, { order }) =>
  order === "before"
    ? { symbol: "sₜ₋₁", meaning: sized("the query: the state after the word before", query) }
    : { symbol: "q", meaning: sized("the query", query) };

/**
 * The score of the model: for a mechanism that is not listed here, the formula of the server.
 * @param {GridFacts} facts @param {{mechanism: string, order: string, formula?: string, paper?: string}} model
 * @returns {Formula}
 */
export function scoreFormula(facts, model) {
  const [e, query] = [scoreOf(facts), queryOf(facts, model)];
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
