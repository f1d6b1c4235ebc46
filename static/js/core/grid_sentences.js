/** The notes of the page about single cells of a picture. Pure. */

/** @import {PictureScene} from "./types" */

import { placeOf, rowAndColumn, strongestCell } from "./grid.js";
import { attentionTo } from "./grid_scene.js";
import { named, signed, weight } from "./text.js";

const MOST_NAMED = 2;

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
  const where = rowAndColumn(scene.trace.source, cell);
  // Where the map is hidden, as before a guess, its numbers are, too.
  if (!scene.opacity) return `${where}, at the ${placeOf(scene.trace.source, cell)}`;
  const value = scene.weights[row]?.[cell] ?? 0;
  const score = scene.scores?.[row]?.[cell];
  const given = attentionTo(scene.weights, [cell]);
  const most = strongestCell(given);
  // After the step at which the texts part, other words are written: no weight of theirs was before.
  const parted = scene.rows[row].tokens[0] > (scene.trace.baseline?.parts_at ?? Infinity);
  const change = parted ? undefined : scene.difference?.[row]?.[cell];
  const numbers = [
    `α ${value.toFixed(4)}`,
    change === undefined ? "" : `was ${(value - change).toFixed(4)} before the edits`,
    typeof score === "number" && scene.picked?.kind !== "drawn" ? `e ${signed(score, 2)}` : "",
  ];
  return `${where}: ${numbers.filter(Boolean).join(", ")} for ${named(scene.rows[row])}\nhighest for ${named(scene.rows[most])}, ${given[most].toFixed(4)}`;
}
