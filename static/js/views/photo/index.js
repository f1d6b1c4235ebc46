/** The photo with the map of one word over it. */

/** @import {PictureScene, Style} from "../../core/types" */
/** @import {View} from "../registry.js" */

import { number, oneOf, places, setting } from "../../core/address.js";

const HOW = {
  heat: "The brighter a place, the higher its weight",
  outline: "The lines surround half and four fifths of the weight",
  spotlight: "The lit places have the highest weights",
};

/** @type {View} */
export const photo = {
  name: "photo",
  title: "Photo",
  place: "photo",
  dom: { grid: () => import("./view.js") },
  svg: { grid: () => import("./svg.js") },
  note: {
    grid: (scene) =>
      scene.rows.some(({ special }) => !special) ? `${HOW[scene.style]}: ${shown(scene)}.` : "",
  },
  settings: {
    grid: {
      style: setting(oneOf(/** @type {Style[]} */ (["heat", "outline", "spotlight"])), "heat"),
      opacity: setting(number(0, 100, true), 80),
      smoothing: setting(number(0, 100, true), 45),
      cells: setting(places(), []),
    },
  },
};

/** @param {PictureScene} scene */
function shown({ picked, heads, pool }) {
  if (picked?.kind === "drawn") return "how often each cell was drawn for the word";
  if (heads.length > 1 && pool)
    return `the ${pool === "mean" ? "mean" : "maximum"} of ${heads.length} heads for the word`;
  return "the attention of the model at the word";
}
