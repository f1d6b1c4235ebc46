/** A graph: its nodes with their classes, and edges as thick as the attention along them. */

/** @import {GraphScene} from "../../core/types" */
/** @import {View} from "../registry.js" */

/** @type {View} */
export const graph = {
  name: "graph",
  title: "Graph",
  dom: { graph: () => import("./view.js") },
  svg: { graph: () => import("./svg.js") },
  note: { graph: graphNote },
};

/** @param {Pick<GraphScene, "layers" | "picked" | "view" | "row">} scene */
export function graphNote({ view, row }) {
  const name = view.rows[row]?.text ?? "";
  return `Edges are as thick as the attention along them: coloured from ${name}, grey the mean of both directions. The ring around ${name} is its attention to itself. A node with a thick outline has a known class.`;
}
