/** The sentences of the page about a trace of a picture. Pure. */

/** @import {PictureScene} from "./types" */

import { isGiven } from "./decoding.js";
import { entropy } from "./row_metrics.js";
import { named, percent, signed, weight } from "./text.js";
import { massByPlace, placeOf, rowAndColumn, strongestCell } from "./grid.js";
import { drawnAt, gateOf, attentionTo, probabilityOf } from "./grid_scene.js";

const MOST_NAMED = 2;
const WORTH_NAMING = 0.15;
/** Attention counts as spread out where no part of nine has more, or the entropy is nearly maximal. */
const SPREAD_OUT = { part: 0.25, spread: 0.95 };

/**
 * The sentence of a row: what was written, its probability, where the attention went, and the gate.
 * @param {PictureScene} scene @param {number} row
 */
export function sentence(scene, row) {
  const item = scene.rows[row];
  if (!item) return "";
  const chance = probabilityOf(scene, row);
  const probability = chance === null ? "" : ` (probability ${percent(chance)})`;
  const did = isGiven(scene.trace, scene.output)
    ? `given ${named(item)}`
    : item.special
      ? "ended the text"
      : `wrote ${named(item)}`;
  return `Step ${row + 1} of ${scene.rows.length}: ${did}${probability}, ${attending(scene, row)}.${extras(scene, row)}`;
}

/** @param {PictureScene} scene @param {number} row */
function attending({ trace, weights }, row) {
  const mass = massByPlace(trace.source, weights[row]);
  const spread = entropy(weights[row]) / Math.log2(weights[row].length);
  if (mass[0].weight < SPREAD_OUT.part || spread > SPREAD_OUT.spread)
    return "with its attention spread out";
  const chosen = mass
    .slice(0, MOST_NAMED)
    .filter((each, index) => index === 0 || each.weight >= WORTH_NAMING);
  return `attending mostly to the ${chosen.map((each) => `${each.place} (${weight(each.weight)})`).join(" and the ")}`;
}

/** @param {PictureScene} scene @param {number} row */
function extras(scene, row) {
  const [drawn, more] = drawnAt(scene, row);
  const cell =
    drawn && !more
      ? ` Cell drawn: ${rowAndColumn(scene.trace.source, drawn.cell)}, at the ${placeOf(scene.trace.source, drawn.cell)} (probability ${percent(Math.exp(drawn.log_probability))}).`
      : "";
  const gate = gateOf(scene, row);
  return `${cell}${gate === null ? "" : ` Gate β = ${gate.toFixed(2)}: how much the picture counted for this word.`}`;
}

/**
 * The note about the selected cells: the words with the most attention to them.
 * @param {PictureScene} scene
 */
export function selectionNote(scene) {
  const { cells, rows, weights, trace } = scene;
  if (!cells.length)
    return "Press a place in the photo, or drag over several, to see which words attended to it.";
  const where =
    cells.length > 1
      ? `${cells.length} cells`
      : `${rowAndColumn(trace.source, cells[0])}, at the ${placeOf(trace.source, cells[0])}`;
  const given = attentionTo(weights, cells);
  const order = given
    .map((_, row) => row)
    .sort((a, b) => given[b] - given[a])
    .slice(0, MOST_NAMED);
  return `Selected: ${where}. Most attention from ${order.map((row) => `${named(rows[row])} (${weight(given[row])})`).join(" and ")}. Press Escape to clear the selection.`;
}

/** The end of the colour scale of a word that is shown beside others. @param {PictureScene} scene @param {number} row */
export const largestWeight = ({ weights }, row) => `α ≤ ${Math.max(0, ...weights[row]).toFixed(3)}`;

/** A cell under the pointer. @param {PictureScene} scene @param {number} row @param {number} cell */
export function cellNote(scene, row, cell) {
  const value = scene.weights[row]?.[cell] ?? 0;
  const score = scene.scores?.[row]?.[cell];
  const given = attentionTo(scene.weights, [cell]);
  const most = strongestCell(given);
  const numbers = [
    `α ${value.toFixed(4)}`,
    typeof score === "number" && scene.picked?.kind !== "drawn" ? `e ${signed(score, 2)}` : "",
  ];
  return `${rowAndColumn(scene.trace.source, cell)}: ${numbers.filter(Boolean).join(", ")} for ${named(scene.rows[row])}\nhighest for ${named(scene.rows[most])}, ${given[most].toFixed(4)}`;
}
