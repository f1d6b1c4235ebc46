/** One step of a captioner as a chain: scores, weights, the weighted sum of regions, the word. Pure. */

/** @import {Alternative, Drawn, Item, PictureScene, Vector} from "../../core/types" */
/** @import {PartName} from "../../core/step_parts.js" */

import { placeOf, rowAndColumn } from "../../core/grid.js";
import { percent, signed } from "../../core/text.js";
import { gridPartsOf } from "../../core/step_parts.js";

/** Number of alternatives that are shown. */
export const ALTERNATIVES = 5;

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

/**
 * A figure of cells: how strong each is, from 0 to 1, and a line below.
 * @typedef {{shareOf: (cell: number) => number, drawn: Drawn | null, caption: string}} CellScale
 */

/** The scores from the smallest to the largest of this step, because their zero has no meaning. @param {PictureChain} chain @returns {CellScale} */
export function scoreScale({ cells }) {
  const scores = cells.flatMap(({ score }) => score ?? []);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  return {
    shareOf: (cell) => ((cells[cell].score ?? low) - low) / (high - low || 1),
    drawn: null,
    caption: scores.length
      ? `e from ${signed(low, 2)} to ${signed(high, 2)}`
      : "The trace does not contain the scores.",
  };
}

/** @param {PictureChain} chain @returns {CellScale} */
export function weightScale({ cells, drawn }) {
  const top = largest(cells);
  const sum = cells.reduce((total, { weight }) => total + weight, 0);
  return {
    shareOf: (cell) => cells[cell].weight / top,
    drawn,
    caption: `α from 0 to ${top.toFixed(3)}; all ${cells.length} sum to ${sum > 0.9995 ? 1 : sum.toFixed(3)}`,
  };
}

/** How much of each region is visible; with hard attention, only the drawn one is. @param {PictureChain} chain @param {PictureScene} scene @returns {CellScale} */
export function regionScale({ cells, drawn }, { trace: { source } }) {
  const top = largest(cells);
  return {
    shareOf: (cell) => (drawn ? Number(cell === drawn.cell) : cells[cell].weight / top),
    drawn,
    caption: drawn
      ? `drawn: ${rowAndColumn(source, drawn.cell)}, ${placeOf(source, drawn.cell)}; probability ${percent(Math.exp(drawn.log_probability))}`
      : "",
  };
}

/** @param {Cell[]} cells */
const largest = (cells) => Math.max(...cells.map(({ weight }) => weight), 1e-9);

/** The opacity of the shade over a region that counts this much. @param {number} share */
export const shadeOver = (share) => 0.94 * (1 - share);

/** The statement about the gate. @param {number} value */
export const gateNote = (value) =>
  `${value.toFixed(3)}: how much the picture counted for this word`;
