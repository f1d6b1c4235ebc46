/** One step of a captioner as a chain: scores, weights, the weighted sum of regions, the word. Pure. */

/** @import {Alternative, Drawn, Item, PictureScene, Vector} from "../../core/types" */
/** @import {PartName} from "./parts.js" */

import { gridPartsOf } from "./parts.js";

/**
 * @typedef {object} Cell @property {number} cell @property {number | null} score
 * @property {number | null} shifted e less the largest @property {number | null} exponential @property {number} weight
 *
 * @typedef {object} PictureChain
 * @property {PartName[]} parts @property {Cell[]} cells @property {number} sum of the exponentials
 * @property {number | null} gate @property {Drawn | null} drawn
 * @property {Vector | null} query @property {Vector | null} context @property {Vector | null} state
 * @property {Alternative[]} alternatives @property {number} written id of the piece that was chosen
 * @property {Item | null} fed the piece before
 */

/** @param {PictureScene} scene in pieces, not words @param {number} row @returns {PictureChain} */
export function chainOf({ rows, weights, scores, output, trace, picked }, row) {
  const token = rows[row]?.tokens[0] ?? 0;
  const step = output.steps[token];
  const found = scores?.[row] ?? weights[row].map(() => null);
  const top = Math.max(...found.map((score) => score ?? -Infinity));
  const cells = weights[row].map((weight, cell) => {
    const score = found[cell];
    const shifted = score === null ? null : score - top;
    return {
      cell,
      score,
      shifted,
      exponential: shifted === null ? null : Math.exp(shifted),
      weight,
    };
  });
  return {
    parts: gridPartsOf(trace.model.order, picked?.kind === "drawn"),
    cells,
    sum: cells.reduce((total, { exponential }) => total + (exponential ?? 0), 0),
    gate: step?.gate ?? null,
    drawn: step?.drawn ?? null,
    query: step?.query ?? null,
    context: step?.context ?? null,
    state: step?.state ?? null,
    alternatives: step?.alternatives ?? [],
    written: output.target.tokens[token]?.id ?? -1,
    fed: row > 0 ? rows[row - 1] : null,
  };
}
