import assert from "node:assert/strict";
import { test } from "node:test";

import { graph as kind } from "../../../static/js/core/kinds/graph.js";
import { graph } from "../../../static/js/pages/graph/page.js";
import { readGraphTrace } from "../../../static/js/import/graph_trace.js";
import { drawingOf, nearestIn, readsOf, ringOf } from "../../../static/js/views/graph/model.js";
import { draw } from "../../../static/js/views/graph/svg.js";
import { draw as drawMap } from "../../../static/js/views/map/svg.js";
import { stepOf } from "../../../static/js/views/step/node_step.js";
import { draw as drawStep } from "../../../static/js/views/step/svg.js";
import { GRAPH_MODEL, graphTrace } from "../graphs.js";
import { partial } from "../traces.js";

const measure = (text) => text.length * 6;
/** @returns {any} */
const sceneOf = (change = {}) =>
  kind.sceneOf(graphTrace(), { ...graph.state.DEFAULTS, ...change }, GRAPH_MODEL);

test("the scene stands at the first node whose class had to be found", () => {
  const scene = sceneOf();
  assert.equal(scene.viewName, "graph");
  assert.equal(scene.row, 1);
  assert.deepEqual(scene.layers, [0, 1]);
  assert.match(
    kind.sentence(scene, 1),
    /^Node “Bob”: class A \(probability 70.* In layer 2, head 1 attends mostly to “Ann” \(0\.50\)/,
  );
  assert.match(kind.sentence(scene, 0), /it is known to be A/);
});

test("edges are as thick as the attention along them", () => {
  const scene = sceneOf();
  const { nodes, edges } = drawingOf(scene, 600, 400);
  assert.ok(Math.abs(edges[0].weight - 0.45) < 1e-9);
  assert.deepEqual(
    readsOf(scene, 1).map(({ node }) => node),
    [0, 2],
  );
  assert.ok(readsOf(scene, 1)[0].width > readsOf(scene, 1)[1].width);
  assert.ok(ringOf(scene, 0) > ringOf(scene, 2));
  assert.notEqual(nodes[0].shape, nodes[2].shape);
  assert.ok(nodes.every(({ x, y }) => x >= 0 && x <= 600 && y >= 0 && y <= 400));
});

test("arrow keys find the nearest node in their direction", () => {
  const { nodes } = graphTrace().source;
  assert.equal(nearestIn(nodes, 0, { x: 1, y: 0 }), 1);
  assert.equal(nearestIn(nodes, 0, { x: -1, y: 0 }), 0);
  assert.equal(nearestIn(nodes, 0, { x: 0, y: 1 }), 0);
});

test("the numbers of a node lead from its scores to its weights", () => {
  const { keys, sum } = stepOf(sceneOf({ view: "step" }), 0);
  assert.deepEqual(
    keys.map(({ item }) => item.text),
    ["Ann", "Bob"],
  );
  keys.forEach(({ exponential, weight }) => assert.ok(Math.abs(exponential / sum - weight) < 1e-9));
  /** @type {any} */
  const said = stepOf(sceneOf(), 0)
    .textOf("scores")
    .formula.map((piece) => partial(piece).symbol ?? piece)
    .join("");
  assert.equal(said, "eⱼ = a · LeakyReLU(q + kⱼ)");
});

test("every view is drawn on paper", () => {
  const how = { measure, moment: null, companions: null, model: { stepOf }, heat: () => "" };
  assert.match(draw(sceneOf(), how).svg, /2 A, 1 B/);
  assert.match(drawMap(sceneOf({ view: "map" }), how).svg, /Cid/);
  assert.match(drawStep(sceneOf({ view: "step" }), how).svg, /LeakyReLU/);
});

test("a trace is read again, and a damaged one is refused with a reason", () => {
  const read = (change) =>
    readGraphTrace(new TextEncoder().encode(JSON.stringify(graphTrace(change))));
  assert.equal(read({}).source.text, "Chain");
  const { source, target } = graphTrace();
  const bad = [
    [{ source: { ...source, edges: [[0, 7]] } }, /Edge 1 joins a node that does not exist/],
    [{ source: { ...source, nodes: [] } }, /has 0 nodes/],
    [{ target: { ...target, classes: ["A"] } }, /a class for each node/],
    [{ maps: [] }, /no maps/],
  ];
  for (const [change, says] of bad) assert.throws(() => read(change), says);
});
