/** The positional embeddings as a picture: how alike each two are. */

/** @import {View} from "../registry.js" */

/** @type {View} */
export const positions = {
  name: "positions",
  title: "Positions",
  dom: { patches: () => import("./view.js") },
  svg: { patches: () => import("./svg.js") },
  note: {
    patches: ({ trace }) =>
      trace.positions
        ? "Each small square belongs to the position of one patch, and shows how alike its embedding is to those of all others: the cosine, from −1 (brown) to 1 (blue). The model learned them; they are the same for every photo. Press one to look from there."
        : "This trace has no positional embeddings.",
  },
};
