/** The photo with the map of one word over it. */

/** @import {PatchScene, PictureScene, Style} from "../../core/types" */
/** @import {View} from "../registry.js" */

import { number, oneOf, places, setting } from "../../core/address.js";

const HOW = {
  heat: "The brighter a place, the higher its weight",
  outline: "The lines surround half and four fifths of the weight",
  spotlight: "The lit places have the highest weights",
};

const LOOK = {
  style: setting(oneOf(/** @type {Style[]} */ (["heat", "outline", "spotlight"])), "heat"),
  opacity: setting(number(0, 100, true), 80),
  smoothing: setting(number(0, 100, true), 45),
};

/** @type {View} */
export const photo = {
  name: "photo",
  title: "Photo",
  place: "photo",
  dom: { grid: () => import("./view.js"), patches: () => import("./patch_view.js") },
  svg: { grid: () => import("./svg.js"), patches: () => import("./patch_svg.js") },
  note: {
    grid: (scene) =>
      scene.rows.some(({ special }) => !special) ? `${HOW[scene.style]}: ${shown(scene)}.` : "",
    patches: (scene) =>
      `${HOW[scene.style]}: ${read(scene)}. Press a patch to see where it looks; press it again for the class token.`,
  },
  settings: { grid: { ...LOOK, cells: setting(places(), []) }, patches: LOOK },
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
