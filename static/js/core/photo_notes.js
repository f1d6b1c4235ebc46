/** The explanations of the views of a captioned photo in one line, by name. Pure. */

/** @import {PictureScene} from "./types" */

import { networkNote, partByPart } from "./part_notes.js";

/** @type {Record<string, (scene: PictureScene) => string>} */
export const PHOTO_NOTES = {
  photo: (scene) =>
    scene.rows.some(({ special }) => !special) ? `${LOOKS[scene.style]}: ${shown(scene)}.` : "",
  sheet: () => "Every word with its map. Press one to open it.",
  network: ({ parts }) => networkNote(parts),
  step: partByPart,
  heads: () =>
    "Every head of every layer at this word, with the entropy of its weights. Press one to open it.",
  audit: () => "Each cell is taken from each word; every figure stands beside its baseline.",
  compare: () =>
    "The same photo, captioned by each model. Point at a place to see how much attention each model pays to it.",
};

/** The weights over a photo in a sentence, by their style. */
export const LOOKS = {
  heat: "The brighter a place, the higher its weight",
  outline: "The lines surround half and four fifths of the weight",
  spotlight: "The lit places have the highest weights",
};

/** @param {PictureScene} scene */
function shown({ picked, heads, pool }) {
  if (picked?.kind === "drawn") return "how often each cell was drawn for the word";
  if (heads.length > 1 && pool)
    return `the ${pool === "mean" ? "mean" : "maximum"} of ${heads.length} heads for the word`;
  return "the attention of the model at the word";
}
