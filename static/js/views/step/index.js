/** One decoding step, number by number. */

/** @import {View} from "../registry.js" */

import { outputName } from "../../core/decoding.js";

/** @type {View} */
export const step = {
  name: "step",
  title: "Step",
  place: "chain",
  dom: {
    tokens: () => import("./view.js"),
    grid: () => import("./grid_view.js"),
    sentences: () => import("./view.js"),
    glimpses: () => import("./glimpse_view.js"),
    patches: () => import("./patch_view.js"),
    graph: () => import("./view.js"),
    reading: () => import("./view.js"),
  },
  svg: {
    tokens: () => import("./svg.js"),
    grid: () => import("./grid_svg.js"),
    patches: () => import("./patch_svg.js"),
    glimpses: () => import("./glimpse_svg.js"),
    sentences: () => import("./svg.js"),
    graph: () => import("./svg.js"),
    reading: () => import("./svg.js"),
  },
  note: {
    tokens: ({ view }) =>
      `One ${view.rowAxis === "source" ? "input token" : "step"}, number by number, in the order it is computed. Back and forward move from part to part; point at a symbol for its value.`,
    sentences: () =>
      "One hop, number by number, in the order it is computed. Back and forward move from part to part; point at a symbol for its value.",
    graph: () =>
      "The update of one node by one head, number by number, in the order it is computed. Back and forward move from part to part; point at a symbol for its value.",
    patches: () =>
      "One token in one head, number by number, in the order it is computed. Press a patch to go to it; point at a symbol or a patch for its value.",
    reading: () =>
      "One word, number by number, in the order it is computed. Back and forward move from part to part; point at a symbol for its value.",
    glimpses: () =>
      "One glimpse, number by number, in the order it is computed. Back and forward move from part to part; point at a symbol for its value.",
    grid: ({ model }) =>
      `One token of the ${outputName(model)}, number by number. Back and forward move from part to part; point at a symbol for its value.`,
  },
  parts: true,
};
