/** One word that is read with a memory tape as a chain of numbers, with the texts of its parts. Pure. */

/** @import {Scene, Vector} from "../../core/types" */
/** @import {Chain, Content, Facts, Formula} from "./model.js" */
/** @import {PartName} from "../../core/step_parts.js" */

import { named } from "../../core/text.js";
import { TAPE_PARTS } from "../../core/step_parts.js";
import { vectorOf } from "../../core/trace.js";
import { keysOf, usualContents, vector } from "./model.js";
import { SOFTMAX, learned, scoreSymbols, sized, softmaxFormula } from "./symbols.js";

/** The texts of the parts. @type {Record<PartName, {title: string, says: string}>} */
const TEXTS = {
  fixed: { title: "", says: "" },
  state: {
    title: "The word before is read",
    says: "An LSTM cell. In place of the last state it has h̃ and c̃, the sums of the step before: the gates say how much of the word is written, how much of c̃ is kept, and how much of the cell is shown.",
  },
  query: {
    title: "The query",
    says: "The word before and the sum of the step before, each multiplied by a matrix.",
  },
  scores: {
    title: "A score for each word on the tape",
    says: "The key of a word is its state, multiplied by a matrix. Key and query are added, and a vector weighs the result.",
  },
  weights: SOFTMAX,
  context: {
    title: "The weighted sums",
    says: "Scale the state and the cell of each word by its weight and add them up: both take the place of the last state.",
  },
  word: {
    title: "The word that is expected",
    says: "The likeliest words in this place, before it is read.",
  },
};

/** The gates, in their order. */
const GATES = /** @type {const} */ ([
  ["i", "how much is written"],
  ["f", "how much is kept"],
  ["o", "how much is shown"],
]);

/** @typedef {{cell?: Vector | null, gates?: Vector[], sum?: Vector | null}} Cell the cell of the word before, its gates, and the sum of the cells */

/** @param {Scene} scene @param {number} row @returns {Chain} */
export function stepOf({ view, output, picked, pieces }, row) {
  const token = pieces[row];
  const step = output.steps[token];
  const { keys, sum } = keysOf(view.columns, view.scores?.[row], view.weights?.[row], (column) => ({
    key: vectorOf(picked?.keys, view.columns[column]),
    value: vectorOf(picked?.values, view.columns[column]),
  }));
  /** @type {Facts} */
  const facts = {
    keys: keys.map((key) => ({ ...key, later: key.score === null && key.weight === 0 })),
    sum,
    names: {
      query: ["q", "the query"],
      context: ["h̃", "the sum of the states"],
      state: ["h", "the state of the word before"],
      key: ["k", "h", "word"],
      piece: "word",
    },
    own: Boolean(picked?.keys && picked.values),
    summed: true,
    query: step?.query ?? null,
    context: step?.context ?? null,
    state: step?.state ?? null,
    alternatives: step?.alternatives ?? [],
    written: output.target.tokens[token]?.id ?? -1,
  };
  const cell = { cell: step?.cell, gates: step?.gates, sum: step?.cell_context };
  const before = view.columns[row] ? named(view.columns[row]) : "the word before";
  return {
    ...facts,
    parts: TAPE_PARTS,
    left: TAPE_PARTS.indexOf("scores") + 1,
    textOf: (part) => ({ ...TEXTS[part], formula: formulaOf(part, facts, cell, before) }),
    contentsOf: (part) => [...usualContents(part, facts), ...ofCell(part, cell)],
    lines: {
      state: { does: "The word before is read, and written on the tape." },
      word: { does: "The next word is predicted before it is read." },
    },
  };
}

/** The further vectors of a part. @param {PartName} part @param {Cell} cell @returns {Content[]} */
function ofCell(part, { cell, gates, sum }) {
  if (part === "context") return vector("context 0", ["c̃", "the sum of the cells"], sum);
  if (part !== "state") return [];
  return [
    ...vector("state 0", ["c", "its cell"], cell),
    ...GATES.flatMap(([symbol, meaning], place) =>
      vector(`state ${place + 1}`, [symbol, meaning], gates?.[place]),
    ),
  ];
}

/**
 * The formula of a part (Cheng et al. 2016, equations 4 to 10, with the word before in the query).
 * @param {PartName} part @param {Facts} facts @param {Cell} cell @param {string} last the word before @returns {Formula}
 */
function formulaOf(part, { keys, sum, query, context, state }, cell, last) {
  const { best, e, a } = scoreSymbols(keys);
  const gate = (/** @type {number} */ place) => {
    const [symbol, meaning] = GATES[place];
    const values = `${meaning}, from 0 to 1 for each number`;
    return { symbol, meaning: sized(values, cell.gates?.[place]) };
  };
  const past = (/** @type {string} */ symbol) => ({
    symbol,
    meaning: "the sum of the step before; zeros at the first step",
  });
  const x = { symbol: "x", meaning: `the embedding of ${last}` };
  const h = { symbol: "h", meaning: sized(`the state of ${last}`, state) };
  const c = { symbol: "c", meaning: sized(`the cell of ${last}`, cell.cell) };
  const q = { symbol: "q", meaning: sized("the query", query) };
  const k = { symbol: "kⱼ", meaning: sized("the key of word j", best?.key) };
  const states = { symbol: "h̃", meaning: sized("the sum of the states", context) };
  const cells = { symbol: "c̃", meaning: sized("the sum of the cells", cell.sum) };
  const hj = { symbol: "hⱼ", meaning: sized("the state of word j", best?.value) };
  const written = { symbol: "ĉ", meaning: "the word and h̃ of the step before, from −1 to 1" };
  switch (part) {
    case "state":
      return [
        ...[c, " = ", gate(1), " ", past("c̃ₜ₋₁"), " + ", gate(0), " ", written],
        ...[", ", h, " = ", gate(2), " tanh(", c, ")"],
      ];
    case "query":
      return [
        ...[q, " = ", learned("U"), " ", x, " + ", learned("Z"), " ", past("h̃ₜ₋₁")],
        ...[" + ", learned("b")],
      ];
    case "scores":
      return [e, " = ", learned("v"), " · tanh(", k, " + ", q, ")"];
    case "weights":
      return softmaxFormula(a, e, sum);
    case "context":
      return [states, " = Σⱼ ", a, " ", hj, ", ", cells, " = Σⱼ ", a, " cⱼ"];
    default:
      return [
        ...["P(word) = softmax(", learned("E"), " tanh(", learned("R"), " [", h, "; "],
        ...[states, "]))"],
      ];
  }
}
