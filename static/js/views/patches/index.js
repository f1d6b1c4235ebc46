/** The picture within a text, with the map of one word over it. */

/** @import {View} from "../registry.js" */

/** @type {View} */
export const patches = {
  name: "patches",
  title: "Picture",
  dom: { tokens: () => import("./view.js") },
  svg: { tokens: () => import("./svg.js") },
  note: {
    tokens: () =>
      "The brighter a place of the picture, the higher its weight at the word. The text above is tinted by the weights of the same row.",
  },
  fits: ({ trace }) => Boolean(trace?.source.kind === "tokens" && trace.source.patches),
};
