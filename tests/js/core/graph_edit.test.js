import assert from "node:assert/strict";
import { test } from "node:test";

import {
  areJoined,
  graphOf,
  graphText,
  keepingPlaces,
  withClass,
  withEdgeToggled,
  withNode,
  withoutNode,
} from "../../../static/js/core/graph_edit.js";
import { GRAPH, graphTrace } from "../graphs.js";

const graph = graphOf(graphTrace());

test("a graph is written as the text that was sent", () => {
  assert.equal(graphText(graph), GRAPH);
});

test("an edge is added or cut, in either direction", () => {
  const closed = withEdgeToggled(graph, 2, 0);
  assert.deepEqual(closed.edges, [
    [0, 1],
    [0, 2],
    [1, 2],
  ]);
  assert.ok(areJoined(closed, 0, 2));
  assert.deepEqual(withEdgeToggled(closed, 0, 2), graph);
  assert.equal(withEdgeToggled(graph, 1, 1), graph);
});

test("a node gets a class, and loses it", () => {
  const coloured = withClass(graph, 2, { known: 3 });
  assert.match(graphText(coloured), /^Ann: A, Bob: ~B, Cid: D$/m);
  assert.equal(graphText(withClass(coloured, 2, { known: undefined })), GRAPH);
});

test("nodes are added beside another, and removed with their edges", () => {
  const more = withNode(graph, 1);
  assert.match(graphText(more), /^Bob - Cid, Bob - n4$/m);
  assert.equal(graphText(withoutNode(more, 3)), GRAPH);
  assert.deepEqual(withoutNode(graph, 1).edges, []);
});

test("an edited graph keeps its places, another has its own", () => {
  const before = graphTrace();
  const edited = graphTrace();
  edited.source.nodes = [
    ...edited.source.nodes.map((node) => ({ ...node, x: 0.9 })),
    { text: "n4", x: 0.1, y: 0.1 },
  ];
  edited.source.edges = [...edited.source.edges, [1, 3]];
  const { nodes } = keepingPlaces(edited, before).source;
  assert.deepEqual(
    nodes.slice(0, 3).map(({ x }) => x),
    [0, 0.5, 1],
  );
  assert.ok(Math.hypot(nodes[3].x - 0.5, nodes[3].y - 0.5) < 0.13);
  const other = { ...edited, request: { ...edited.request, text: "# Other\nAnn: A" } };
  assert.equal(keepingPlaces(other, before), other);
  assert.equal(keepingPlaces(edited, null), edited);
});
