/** A part of a step in one line: while it is computed, and once it is folded. Pure. */

/** @import {Vector} from "../../core/types" */
/** @import {Known} from "../types" */
/** @import {Cell} from "./cells.js" */
/** @import {Chain, Facts, Key, PartLine, StepModel} from "./model.js" */

import { heading, percent, signed } from "../../core/text.js";
import { barLines } from "../../draw/bars.js";

/** The lines of most models. @type {Record<string, (facts: Facts) => PartLine>} */
const USUAL = {
  fixed: ({ context }) => ({
    name: "Vector",
    does: "The one vector of the input is passed on.",
    result: sizeOf(context),
  }),
  query: ({ head, query }) => ({
    name: "Query",
    does: "The query is formed: it decides where to look.",
    result: sizeOf(head ? head.query : query),
  }),
  scores: (facts) => ({
    name: "Scores",
    does: `The query is compared with every ${facts.names.piece}.`,
    result: strongest(facts, ({ score }) => score, 1),
  }),
  weights: (facts) => ({
    name: "Weights",
    does: "Softmax turns the scores into weights, which sum to 1.",
    result: strongest(facts, ({ weight }) => weight, 2),
  }),
  context: ({ head, context }) => ({
    name: "Context",
    does: "Each vector is scaled by its weight, and all of them are added.",
    result: sizeOf(head?.sum ?? context),
  }),
  state: ({ state }) => ({
    name: "State",
    does: "The context and the last word make the new state.",
    result: sizeOf(state),
  }),
  word: ({ alternatives, written }) => ({
    name: "Word",
    does: "The state and the context make the next word.",
    result: chosenOf(alternatives, written),
  }),
};

/** @template {string} P @param {StepModel<P>} step @param {P} part @returns {PartLine} */
export const lineOf = (step, part) => ({
  ...(USUAL[part]?.(/** @type {Chain} */ (/** @type {unknown} */ (step))) ?? EMPTY),
  ...step.lines?.[part],
});

/** @type {PartLine} */
const EMPTY = { name: "", does: "", result: "" };

/** The knowledge once a part that is not the last has been computed. @param {StepModel<any>} step @param {number} part @returns {Known} */
export const knownAfter = (step, part) => ({
  says: lineOf(step, step.parts[part]).does,
  attended: part >= step.parts.indexOf("weights"),
});

/** The likeliest output, if that is the one chosen. @param {Facts["alternatives"]} alternatives @param {number} written */
export function chosenOf(alternatives, written) {
  const chosen = barLines(alternatives, written).find((line) => line.chosen);
  return chosen ? `${chosen.text} ${percent(chosen.probability)}` : "";
}

/** @param {Vector | null | undefined} vector */
export const sizeOf = (vector) => (vector ? `${vector.size} numbers` : "");

/**
 * The key with the largest number; of the cells of a picture, the number alone.
 * @param {Facts} facts @param {(numbers: Key | Cell) => number | null} numberOf @param {number} digits
 */
function strongest({ keys, cells }, numberOf, digits) {
  const most = (/** @type {(Key | Cell)[]} */ all) =>
    all.reduce(
      (best, each) => ((numberOf(each) ?? -Infinity) > (numberOf(best) ?? -Infinity) ? each : best),
      all[0],
    );
  const cell = cells?.length ? numberOf(most(cells)) : null;
  if (cell !== null) return `up to ${signed(cell, digits + 1)}`;
  const key = keys.length ? /** @type {Key} */ (most(keys)) : null;
  const value = key && numberOf(key);
  return key && value !== null ? `${heading(key.item).text} ${signed(value, digits)}` : "";
}
