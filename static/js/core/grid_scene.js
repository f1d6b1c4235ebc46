/** The numbers of the rows and cells of a scene over a picture. Pure. */

/** @import {AttentionMap, GridAxis, Item, PictureOutput, PictureScene, Step} from "./types" */

import { merge } from "./trace.js";

/** The scene with the weights of another map. @param {PictureScene} scene @param {AttentionMap} map @returns {PictureScene} */
export function sceneOfMap(scene, map) {
  const cells = cellItems(scene.trace.source);
  return { ...scene, picked: map, weights: merge(map.weights, scene.rows, cells) };
}

/** @param {PictureOutput} output @param {Item | undefined} row */
export function gateIn({ steps }, row) {
  const gates = (row?.tokens ?? []).flatMap((token) => steps[token]?.gate ?? []);
  return gates.length ? gates.reduce((sum, gate) => sum + gate, 0) / gates.length : null;
}

/** The cells, whose columns of a map come behind those of the marks. @param {GridAxis} axis @returns {Item[]} */
export const cellItems = ({ rows, columns, marks }) =>
  Array.from({ length: rows * columns }, (_, cell) => ({
    text: "",
    start: 0,
    end: 0,
    special: false,
    tokens: [cell + (marks?.length ?? 0)],
  }));

/** The steps that wrote a row, one for each of its tokens. @param {PictureScene} scene @param {number} row @returns {Step[]} */
export const stepsOf = ({ rows, output }, row) =>
  (rows[row]?.tokens ?? []).flatMap((token) => output.steps[token] ?? []);

/** β of a row, in the mean; null where the model has no gate. @param {PictureScene} scene @param {number} row */
export const gateOf = ({ output, rows }, row) => gateIn(output, rows[row]);

/** The cells that were drawn while the row was written. @param {PictureScene} scene @param {number} row */
export const drawnAt = (scene, row) => stepsOf(scene, row).flatMap(({ drawn }) => drawn ?? []);

/** The probability of the row, all its tokens together. @param {PictureScene} scene @param {number} row */
export function probabilityOf(scene, row) {
  const steps = stepsOf(scene, row);
  return steps.length ? steps.reduce((product, { probability }) => product * probability, 1) : null;
}

/**
 * The attention that each row pays to the cells together.
 * @param {number[][]} weights @param {number[]} cells
 */
export const attentionTo = (weights, cells) =>
  weights.map((row) => cells.reduce((sum, cell) => sum + (row[cell] ?? 0), 0));

/** The weight of the strongest colour: the largest of the row, or of all. @param {PictureScene} scene @param {number} row */
export const topOf = ({ weights, scale }, row) =>
  Math.max(
    ...(scale === "row" ? (weights[row] ?? [0]) : weights.map((each) => Math.max(...each))),
    1e-9,
  );
