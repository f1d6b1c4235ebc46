/** All heads of all layers at once. */

/** @import {HeadOrder} from "../../core/types" */
/** @import {View} from "../registry.js" */

import { oneOf, setting, word } from "../../core/address.js";

/** @type {HeadOrder[]} */
const ORDERS = ["layer", "alignment", "entropy", "diagonal", "sink"];

/** @type {View} */
export const heads = {
  name: "heads",
  title: "Heads",
  place: "heads",
  dom: {
    tokens: () => import("./view.js"),
    grid: () => import("./grid_view.js"),
    patches: () => import("./grid_view.js"),
  },
  svg: {
    tokens: () => import("./svg.js"),
    grid: () => import("./grid_svg.js"),
    patches: () => import("./grid_svg.js"),
  },
  note: {
    tokens: () =>
      "Every head of every layer, with the entropy of its weights, or in the order of a measure. Point at a small one to enlarge it; press one to open it.",
    patches: () =>
      "Where this token looks in every head of every layer, with the entropy of its weights. Press one to open it.",
    grid: () =>
      "Every head of every layer at this word, with the entropy of its weights. Press one to open it.",
  },
  settings: {
    tokens: { order: setting(oneOf(ORDERS), "layer"), links: setting(word(), null) },
  },
  fits: ({ heads: all, layers }) => all.length * layers.length > 1,
};
