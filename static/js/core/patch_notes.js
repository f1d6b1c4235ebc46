/** The explanations of the views of patches in one line, by name. Pure. */

/** @import {PatchScene} from "./types" */

import { partByPart } from "./part_notes.js";
import { LOOKS } from "./photo_notes.js";

/** @type {Record<string, (scene: PatchScene) => string>} */
export const PATCH_NOTES = {
  photo: (scene) =>
    `${LOOKS[scene.style]}: ${read(scene)}. Press a patch to see where it looks; press it again for the class token.`,
  map: () =>
    "Each row is a token that looks, each column one that it looks at: first the class token, then the patches, named by row and column of the photo.",
  step: () => `Press a patch to go to it. ${partByPart()}`,
  heads: () =>
    "Where this token looks in every head of every layer, with the entropy of its weights. Press one to open it.",
  positions: ({ trace }) =>
    trace.positions
      ? "Each small square belongs to the position of one patch, and shows how alike its embedding is to those of all others: the cosine, from −1 (brown) to 1 (blue). The model learned them; they are the same for every photo. Press one to look from there."
      : "This trace has no positional embeddings.",
};

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
