/** The scene of a graph: its nodes as rows and as columns, from the settings. Pure. */

/** @import {GraphScene, GraphSettings, GraphTrace, Model} from "./types" */

import { partsOf } from "./step_parts.js";
import { mapScene } from "./map_scene.js";
import { listed, strongest } from "./sentences.js";
import { named, percent, weight } from "./text.js";
import { choices } from "./trace.js";

/**
 * Without a step, the scene stands at the first node whose class had to be found.
 * @param {GraphTrace} trace @param {GraphSettings} settings @param {Model} model @returns {GraphScene}
 */
export function graphSceneOf(trace, settings, model) {
  const first = trace.source.nodes.findIndex(({ known }) => known === undefined);
  return mapScene("graph", trace, settings, model, {
    found: choices(trace, settings),
    start: Math.max(first, 0),
    steps: trace.steps.length ? partsOf("before").length : 1,
    view: { columnText: trace.source.text },
  });
}

/** The sentence of a node: its class, and the nodes that it reads most from. @param {GraphScene} scene @param {number} row */
export function nodeSentence(scene, row) {
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
