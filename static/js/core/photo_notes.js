/** The explanations of the views of a photo in one line, by name and kind of axis. Pure. */

/** @import {PatchScene, PictureScene} from "./types" */
/** @import {ViewNotes} from "../views/types" */

import { networkNote, partByPart } from "./part_notes.js";

/** @type {Record<string, Pick<ViewNotes, "grid" | "patches">>} */
export const PHOTO_NOTES = {
  photo: {
    grid: (scene) =>
      scene.rows.some(({ special }) => !special) ? `${HOW[scene.style]}: ${shown(scene)}.` : "",
    patches: (scene) =>
      `${HOW[scene.style]}: ${read(scene)}. Press a patch to see where it looks; press it again for the class token.`,
  },
  map: {
    patches: () =>
      "Each row is a token that looks, each column one that it looks at: first the class token, then the patches, named by row and column of the photo.",
  },
  sheet: { grid: () => "Every word with its map. Press one to open it." },
  network: { grid: ({ parts }) => networkNote(parts) },
  step: {
    patches: () => `Press a patch to go to it. ${partByPart()}`,
    grid: partByPart,
  },
  heads: {
    patches: () =>
      "Where this token looks in every head of every layer, with the entropy of its weights. Press one to open it.",
    grid: () =>
      "Every head of every layer at this word, with the entropy of its weights. Press one to open it.",
  },
  audit: {
    grid: () => "Each cell is taken from each word; every figure stands beside its baseline.",
  },
  positions: {
    patches: ({ trace }) =>
      trace.positions
        ? "Each small square belongs to the position of one patch, and shows how alike its embedding is to those of all others: the cosine, from −1 (brown) to 1 (blue). The model learned them; they are the same for every photo. Press one to look from there."
        : "This trace has no positional embeddings.",
  },
  compare: {
    grid: () =>
      "The same photo, captioned by each model. Point at a place to see how much attention each model pays to it.",
  },
};

const HOW = {
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

/** @param {PatchScene} scene */
function read({ picked, heads, layers, pool }) {
  const layer = (picked?.layer ?? 0) + 1;
  if (pool === "rollout")
    return `rollout, what is read through ${layer === layers.length ? "all layers" : `the layers up to ${layer}`}`;
  const head = pool
    ? `the ${pool === "mean" ? "mean" : "maximum"} of ${heads.length} heads`
    : `head ${(picked?.head ?? 0) + 1}`;
  return `${head} of layer ${layer}`;
}
