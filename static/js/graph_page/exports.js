/** The exports of the page of graphs. */

/** @import {GraphScene, GraphSettings, GraphTrace} from "../core/types" */
/** @import {Exports} from "../shell/types" */

import { GRAPH } from "../core/api.js";
import { graphBody } from "../core/graph_request.js";
import { GRAPH_STATE } from "../core/graph_state.js";
import { curl, fileName, linkTo, python } from "../export/share.js";
import { mapExports } from "../shell/map_exports.js";
import { viewNamed } from "../views/registry.js";

/** @type {Exports<GraphSettings, GraphTrace, GraphScene>} */
export const exports = {
  link: (settings, { model }) => ({
    text: linkTo(location.href, GRAPH_STATE, settings, graphBody(settings, model)),
    done: "Link copied.",
  }),
  curl: (settings, model) => curl(location.origin, graphBody(settings, model), GRAPH),
  fileName,
  drawings: [{ button: "save", view: null, suffix: "" }],
  animation: (scene) => ({
    scene: viewNamed("graph", scene.viewName).parts ? scene : { ...scene, parts: 1 },
    view: scene.viewName,
  }),
  ...mapExports({
    python: (settings, model) => python(location.origin, graphBody(settings, model), GRAPH),
    arrays: graphArrays,
    fileName,
  }),
  // The address of a page without a request, and so without a trace in it.
  standalone: {
    address: "/graph?graph=",
    entry: "graph_page/standalone_app.js",
    standIn: "shell/canvas_heatmap.js",
    pack: (trace) => trace,
  },
};

/** The maps as arrays for NumPy: `weights` by layer, head, node that attends and node that is read. @param {GraphScene} scene */
function graphArrays({ trace, layers, heads }) {
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
