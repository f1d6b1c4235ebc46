/** The description of the page of graphs: a class for each node, found along the edges. Pure. */

/** @import {GraphScene} from "../../core/types" */

import { titleOf } from "../../core/graph_edit.js";
import { graphSceneOf, nodeSentence } from "../../core/graph_scene.js";
import { modelPage } from "../../core/model_page.js";
import { headFields, restarted } from "../../core/page_fields.js";

export const graph = modelPage({
  id: "graph",
  kind: "graph",
  inputs: ["graph"],
  fields: headFields(["mean", "max"]),
  nameOf: (example) => ({ text: titleOf(example) }),
  inputsOf: ({ request }) => ({ graph: request.text }),
  // The node is kept, as most requests are edits.
  restarted: (settings) => ({ ...restarted(settings), step: settings.step }),
  sceneOf: graphSceneOf,
  sentence: nodeSentence,
  grows: false,
  arrays,
  title: ({ source }) => source.text,
  leave: { saved: "Edit the graph", imported: "Choose another graph" },
});

/** The maps as arrays for NumPy: `weights` by layer, head, node that attends and node that is read. @param {GraphScene} scene */
function arrays({ trace, layers, heads }) {
  const count = trace.source.nodes.length;
  const maps = layers.flatMap((layer) =>
    heads.map((head) => trace.maps.find((map) => map.layer === layer && map.head === head)),
  );
  return {
    weights: {
      shape: [layers.length, heads.length, count, count],
      data: maps.flatMap((map) => map?.weights.flat() ?? []),
    },
    source: { shape: [count], data: trace.source.nodes.map(({ text }) => text) },
    target: { shape: [count], data: trace.target.classes },
  };
}
