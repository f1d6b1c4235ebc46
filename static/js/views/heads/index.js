/** All heads of all layers at once. */

/** @import {View} from "../registry.js" */

/** @type {View} */
export const heads = {
  name: "heads",
  title: "Heads",
  place: "heads",
  dom: { tokens: () => import("./view.js"), grid: () => import("./grid_view.js") },
  svg: { tokens: () => import("./svg.js") },
  note: {
    tokens: () =>
      "Every head of every layer, with the entropy of its weights. Point at a small one to enlarge it; press one to open it.",
    grid: () =>
      "Every head of every layer at this word, with the entropy of its weights. Press one to open it.",
  },
  fits: ({ heads: all, layers }) => all.length * layers.length > 1,
};
