/** A trace of glimpses, as the server sends it, and a model for it. */

import { IMPORTED_MODEL } from "../../static/js/core/imported_model.js";
import { traceOf, vector } from "./traces.js";

const BELIEFS = [
  [0.5, 0.3, 0.2],
  [0.1, 0.8, 0.1],
];
/** @param {number} x @param {number} y */
const boxes = (x, y) => [2, 4].map((side) => ({ left: x - side / 2, top: y - side / 2, side }));

/** Two glimpses at two resolutions, and three classes. @param {object} [change] @returns {any} */
export function glimpseTrace(change = {}) {
  return traceOf({
    model: { id: "glimpse", weights: "", mechanism: "glimpse", order: "before" },
    task: "glimpse",
    source: { kind: "grid", rows: 1, columns: 2, left: 0, top: 0, width: 12, height: 12 },
    picture: { width: 12, height: 12, format: "PNG", preview: "data:image/jpeg;base64,/9j+" },
    target: { kind: "glimpses", text: "1", glimpses: [boxes(6, 6), boxes(2, 10)] },
    maps: [
      {
        kind: "cross",
        layer: 0,
        head: 0,
        query: "target",
        key: "source",
        weights: [
          [0.5, 0.5],
          [1, 0],
        ],
      },
    ],
    steps: BELIEFS.map((row) => ({
      probability: row[1],
      surprise: 1,
      alternatives: row
        .map((probability, id) => ({ id, text: String(id), probability }))
        .sort((a, b) => b.probability - a.probability),
      query: vector(),
      context: vector(),
      state: vector(),
      seen: [0, 1].map(() => [
        [0, 1],
        [0.5, 0],
      ]),
    })),
    ...change,
  });
}

/** @type {any} */
export const GLIMPSE_MODEL = { ...IMPORTED_MODEL, id: "glimpse", examples: ["iVBOR-_w"] };
