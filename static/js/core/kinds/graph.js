/** A graph, whose nodes get classes: its nodes as rows and as columns. Pure. */

/** @import {GraphScene, GraphTrace, ModelKind} from "../types" */

import { partsOf } from "../step_parts.js";
import { mapScene } from "../map_scene.js";
import { strongest } from "../sentences.js";
import { listed } from "../word_notes.js";
import { named, percent, weight } from "../text.js";
import { choices } from "../trace.js";

/** @type {ModelKind<"graph">} */
export const graph = {
  name: "graph",
  // Without a step, the scene is at the first node whose class had to be found.
  sceneOf: (trace, settings, model) =>
    mapScene(graph, trace, settings, model, {
      found: choices(trace, settings),
      start: Math.max(
        trace.source.nodes.findIndex(({ known }) => known === undefined),
        0,
      ),
      steps: trace.steps.length ? partsOf("before").length : 1,
      view: { columnText: trace.source.text },
    }),
  arrays,
  lines: () => ({ row: "Node", column: "Neighbour" }),
  sentence,
  mapNote: () =>
    "Each row is a node: how much it attends to each of its neighbours and to itself. There is no weight where there is no edge, and the numbers of a row add up to 1.",
  input: ({ trace }) => trace.source.text,
  headLines: ({ trace }) => [
    { name: "Graph", text: trace.source.text, shown: Infinity },
    { name: "Classes", text: trace.text, shown: Infinity },
  ],
  spoken: ["nodes", "neighbours"],
  number: "Attention",
  caption: "Weights α: a row for each node that attends, a column for each that is read",
};

/** The sentence of a node: its class, and the nodes that it reads most from. @param {GraphScene} scene @param {number} row */
function sentence(scene, row) {
  const { trace, view } = scene;
  const item = view.rows[row];
  if (!item) return "";
  const known = trace.source.nodes[row].known;
  const chance = trace.steps[row] ? ` (probability ${percent(trace.steps[row].probability)})` : "";
  const given = known === undefined ? "" : `; it is known to be ${trace.source.classes[known]}`;
  const said = `Node ${named(item)}: class ${trace.target.classes[row]}${chance}${given}.`;
  const weights = view.weights?.[row];
  return weights ? `${said} ${reading(scene, weights, row)}` : said;
}

/** @param {GraphScene} scene @param {number[]} weights @param {number} row */
function reading({ view, picked, pool }, weights, row) {
  const name = (/** @type {number} */ index) =>
    index === row ? "itself" : named(view.columns[index]);
  const read = strongest(weights).map((index) => `${name(index)} (${weight(weights[index])})`);
  const layer = `In layer ${(picked?.layer ?? 0) + 1}`;
  const heads = { mean: "the mean of the heads", max: "the maximum of the heads", rollout: "it" };
  const who = pool ? heads[pool] : `head ${(picked?.head ?? 0) + 1}`;
  return `${layer}, ${who} attends mostly to ${listed(read)}.`;
}

/** The number of each class, known and found, for the page. @param {GraphTrace} trace */
export function counts({ source, target }) {
  return source.classes
    .map((name, index) => ({
      name,
      index,
      known: source.nodes.filter(({ known }) => known === index).length,
      found: target.classes.filter((each) => each === name).length,
    }))
    .filter(({ known, found }) => known + found > 0);
}

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
