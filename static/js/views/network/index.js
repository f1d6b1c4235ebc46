/** The network of the model as a picture, with the vectors and weights of the current step. */

/** @import {View} from "../registry.js" */

/** @type {View} */
export const network = {
  name: "network",
  title: "Network",
  dom: { tokens: () => import("./view.js"), grid: () => import("./grid_view.js") },
  svg: { tokens: () => import("./svg.js"), grid: () => import("./grid_svg.js") },
  note: {
    tokens: ({ parts, view }) =>
      view.weights
        ? note(parts)
        : "Without attention, all of the input goes through one vector. Press a part for its numbers; Play computes the text part by part.",
    grid: ({ parts }) => note(parts),
  },
  parts: true,
  byRow: true,
};

/** @param {number} parts */
const note = (parts) =>
  parts > 1
    ? "The parts of the network in this step; arrows are as wide as their weights. Press a part for its numbers; Play computes the text part by part."
    : "The weights of this row, as wide as they are strong. Press a part for its numbers.";
