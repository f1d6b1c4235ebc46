/** One decoding step, number by number. */

/** @import {View} from "../registry.js" */

/** @type {View} */
export const step = {
  name: "step",
  title: "Step",
  place: "chain",
  dom: { tokens: () => import("./view.js"), grid: () => import("./grid_view.js") },
  svg: { tokens: () => import("./svg.js") },
  note: {
    tokens: ({ view }) =>
      `One ${view.rowAxis === "source" ? "input token" : "step"}, number by number, in the order it is computed. Back and forward move from part to part; point at a symbol for its value.`,
    grid: () =>
      "One token of the caption, number by number. Back and forward move from part to part.",
  },
  parts: true,
};
