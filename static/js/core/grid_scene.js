/** The numbers of the rows and cells of a scene over a picture. Pure. */

/** @import {AttentionMap, GridAxis, Item, PictureOutput, PictureScene, PictureSettings, Step} from "./types" */

import { merge } from "./trace.js";

/** The scene with the weights of another map. @param {PictureScene} scene @param {AttentionMap} map @returns {PictureScene} */
export function sceneOfMap(scene, map) {
  const cells = cellItems(scene.trace.source);
  return { ...scene, picked: map, weights: merge(map.weights, scene.rows, cells) };
}

/** @param {PictureOutput} output @param {number[]} tokens */
export function gateIn({ steps }, tokens) {
  const gates = tokens.flatMap((token) => steps[token]?.gate ?? []);
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

/** The tokens whose numbers a row shows: in a step, only one. @param {PictureScene} scene @param {number} row */
const tokensOf = ({ rows, pieces, parts }, row) =>
  parts > 1 ? [pieces[row]] : (rows[row]?.tokens ?? []);

/** β of a row, in the mean; null where the model has no gate. @param {PictureScene} scene @param {number} row */
export const gateOf = (scene, row) => gateIn(scene.output, tokensOf(scene, row));

/** The cells that were drawn while the row was written. @param {PictureScene} scene @param {number} row */
export const drawnAt = (scene, row) =>
  tokensOf(scene, row).flatMap((token) => scene.output.steps[token]?.drawn ?? []);

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

/** The weight, or the change of one, of the strongest colour: the largest of the row, or of all. @param {PictureScene} scene @param {number} row */
export function topOf({ weights, difference, scale }, row) {
  const shown = difference ?? weights;
  const rows = scale === "row" ? [shown[row] ?? []] : shown;
  return Math.max(...rows.map((each) => Math.max(0, ...each.map(Math.abs))), 1e-9);
}

/** How the settings show a map over the photo, in shares. @param {Pick<PictureSettings, "style" | "opacity" | "smoothing" | "scale" | "speed">} settings */
export const lookOf = ({ style, opacity, smoothing, scale, speed }) => ({
  style,
  opacity: opacity / 100,
  smoothing: smoothing / 100,
  scale,
  speed,
});
