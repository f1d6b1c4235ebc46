/** The picture within a text: the scene of its patches, from the scene of the text. Pure. */

/** @import {Item, PictureScene, Scene} from "./types" */

import { named, weight } from "./text.js";
import { merge } from "./trace.js";

const OPACITY = 0.8;
const SMOOTHING = 0.45;

/**
 * The scene of the picture, with a row for each row of the text: the weights of the patches alone,
 * which sum to less than 1. Null if the columns of the map have no picture.
 * @param {Scene} scene @returns {PictureScene | null}
 */
export function textPictureScene(scene) {
  const { trace, output, picked, view } = scene;
  const { source, picture } = trace;
  if (!source.patches || !picture || picked?.key !== "source") return null;
  const { first, grid } = source.patches;
  /** @type {Item[]} */
  const cells = Array.from({ length: grid.rows * grid.columns }, (_, cell) => ({
    text: "",
    start: 0,
    end: 0,
    special: false,
    tokens: [first + cell],
  }));
  return {
    ...scene,
    trace: { ...trace, source: grid, picture, runners_up: [] },
    output: { ...output, steps: [] },
    weights: merge(picked.weights, view.rows, cells),
    scores: null,
    asked: null,
    parts: 1,
    part: 0,
    style: "heat",
    opacity: OPACITY,
    smoothing: SMOOTHING,
    cells: [],
  };
}

/** The attention that a row pays to the picture. @param {PictureScene} scene @param {number} row */
export const pictureShare = ({ weights }, row) =>
  (weights[row] ?? []).reduce((sum, each) => sum + each, 0);

/** The share of the picture in a sentence. @param {PictureScene} scene @param {number} row */
export function shareNote(scene, row) {
  const item = scene.rows[row];
  if (!item) return "";
  const share = pictureShare(scene, row);
  return `Of the attention at ${named(item)}, ${weight(share)} is on the picture and ${weight(Math.max(1 - share, 0))} on the text.`;
}
