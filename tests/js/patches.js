/** A trace of a photo of 2 × 2 patches that attend to each other, as the server sends it, and a model for it. */

import { IMPORTED_MODEL } from "../../static/js/core/imported_model.js";
import { traceOf } from "./traces.js";

/** @type {any} */
export const PATCH_MODEL = {
  ...IMPORTED_MODEL,
  id: "vit",
  name: "Photo → patches",
  task: "see",
  layers: 2,
  heads: 2,
};

/** Weights of the class token and four patches: each row has most of its weight at one place. @param {(row: number) => number} at */
const most = (at) =>
  Array.from({ length: 5 }, (_, row) =>
    Array.from({ length: 5 }, (_, column) => (column === at(row) % 5 ? 0.6 : 0.1)),
  );

/** @param {object} [change] @returns {any} */
export function patchTrace(change = {}) {
  const head = (layer, number) => ({
    kind: "encoder-self",
    layer,
    head: number,
    query: "source",
    key: "source",
    weights: most((row) => row + layer + number),
  });
  return traceOf({
    model: { id: "vit", weights: "", mechanism: "multihead", order: "before" },
    task: "see",
    source: {
      kind: "grid",
      rows: 2,
      columns: 2,
      left: 0,
      top: 0,
      width: 40,
      height: 20,
      marks: ["[CLS]"],
    },
    picture: { width: 40, height: 20, format: "JPEG", preview: "data:image/jpeg;base64,AAAA" },
    target: {
      kind: "tokens",
      text: "sheep",
      tokens: [{ id: 2, text: "sheep", start: 0, end: 5, word: 0, special: false }],
      words: [{ text: "sheep", start: 0, end: 5, special: false }],
      merge: "mean",
    },
    maps: [
      head(0, 0),
      head(0, 1),
      head(1, 0),
      head(1, 1),
      {
        kind: "rollout",
        layer: 0,
        head: 0,
        query: "target",
        key: "source",
        weights: [[0.2, 0.2, 0.2, 0.2, 0.2]],
      },
    ],
    steps: [
      {
        probability: 0.7,
        surprise: 0.5,
        alternatives: [{ id: 2, text: "sheep", probability: 0.7 }],
      },
    ],
    positions: Array.from({ length: 5 }, (_, row) =>
      Array.from({ length: 5 }, (_, column) => (row === column ? 1 : -0.5)),
    ),
    ...change,
  });
}
