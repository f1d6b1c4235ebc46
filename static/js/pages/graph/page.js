/** The description of the page of graphs: a class for each node, found along the edges. Pure. */

import { titleOf } from "../../core/graph_edit.js";
import { graph as graphKind } from "../../core/kinds/graph.js";
import { modelPage } from "../../core/model_page.js";
import { headFields } from "../../core/page_fields.js";

export const graph = modelPage({
  id: "graph",
  kind: graphKind,
  edited: true,
  inputs: ["graph"],
  fields: headFields(["mean", "max"]),
  nameOf: (example) => ({ text: titleOf(example) }),
  inputsOf: ({ request }) => ({ graph: request.text }),
  // The node is kept, as most requests are edits.
  stays: ["step"],
  grows: false,
  title: ({ source }) => source.text,
  leave: { saved: "Edit the graph", imported: "Choose another graph" },
});
