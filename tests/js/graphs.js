/** A trace of a graph, as the server sends it, and a model for it. */

import { IMPORTED_MODEL } from "../../static/js/core/imported_model.js";
import { traceOf, vector } from "./traces.js";

export const GRAPH = "# Chain\nAnn: A, Bob: ~B\nCid\nAnn - Bob\nBob - Cid";
export const WEIGHTS = [
  [0.6, 0.4, 0],
  [0.5, 0.2, 0.3],
  [0, 0.9, 0.1],
];

/** A network of two layers with a head each, over a chain of three nodes. @param {object} [change] @returns {any} */
export function graphTrace(change = {}) {
  const map = (layer) => ({
    kind: "cross",
    layer,
    head: 0,
    query: "target",
    key: "source",
    weights: WEIGHTS,
    scores: WEIGHTS.map((row) => row.map((weight) => (weight ? Math.log(weight) : null))),
    queries: WEIGHTS.map(() => vector()),
    keys: WEIGHTS.map(() => vector()),
    values: WEIGHTS.map(() => vector()),
  });
  return traceOf({
    model: { id: "graph", weights: "", mechanism: "graph", order: "before" },
    task: "graph",
    request: { text: GRAPH, target: null, search: { kind: "greedy" }, detail: "steps" },
    source: {
      kind: "graph",
      text: "Chain",
      nodes: [
        { text: "Ann", x: 0, y: 0.5, known: 0 },
        { text: "Bob", x: 0.5, y: 0.5, hint: 1 },
        { text: "Cid", x: 1, y: 0.5 },
      ],
      edges: [
        [0, 1],
        [1, 2],
      ],
      classes: ["A", "B", "C", "D"],
    },
    target: {
      kind: "classes",
      text: "2 A, 1 B",
      nodes: ["Ann", "Bob", "Cid"],
      classes: ["A", "A", "B"],
    },
    maps: [map(0), map(1)],
    steps: [0, 0, 1].map((best) => ({
      probability: 0.7,
      surprise: 0.5,
      alternatives: [
        { id: best, text: "AB"[best], probability: 0.7 },
        { id: 1 - best, text: "AB"[1 - best], probability: 0.3 },
      ],
      query: vector(),
      context: vector(),
      state: vector(),
    })),
    ...change,
  });
}

/** @type {any} */
export const GRAPH_MODEL = {
  ...IMPORTED_MODEL,
  id: "graph",
  name: "Graph network",
  task: "graph",
  mechanism: "graph",
  order: "before",
  examples: [GRAPH],
};
