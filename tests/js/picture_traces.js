/** Picture traces for tests, as small as they can be. */

import { axis, model, step } from "./traces.js";

export const GRID = { kind: "grid", rows: 4, columns: 4, left: 0, top: 0, width: 800, height: 400 };
export const PICTURE = {
  width: 800,
  height: 400,
  format: "JPEG",
  preview: "data:image/jpeg;base64,AAAA",
};

/** A row that looks at one cell, and a little everywhere. @returns {any} */
export function row(cell, count = 16) {
  return Array.from({ length: count }, (_, index) => 0.2 / count + (index === cell ? 0.8 : 0));
}

/** @returns {any} */
export function map(cells, change = {}) {
  const weights = cells.map((cell) => row(cell));
  return {
    kind: "cross",
    layer: 0,
    head: 0,
    query: "target",
    key: "source",
    weights,
    scores: weights.map((each) => each.map(Math.log)),
    ...change,
  };
}

/** "a black cat", whose last word is made of two pieces, and the end mark. @returns {any} */
export function pictureTrace(change = {}) {
  const target = change.target ?? axis([["a"], ["black"], ["c", "at"]], "mean");
  return {
    schema: "heed.trace/2",
    model: { id: "soft", weights: "0".repeat(64), mechanism: "soft", order: "before" },
    task: "caption",
    request: {
      text: "",
      target: null,
      search: { kind: "greedy", beam: 1, seed: 0, temperature: 1 },
      detail: "steps",
    },
    source: GRID,
    picture: PICTURE,
    text: target.text,
    target,
    maps: [map([0, 5, 5, 7, 15])],
    steps: target.tokens.map((_, index) => ({
      ...step(index === 1 ? 0.5 : 0.8),
      gate: (index + 1) / 10,
    })),
    runners_up: [],
    log_probability: -1,
    score: -0.2,
    finish: "end",
    timing: { encode_ms: 1, decode_ms: 1 },
    ...change,
  };
}

/** @returns {any} */
export const captioner = (change = {}) =>
  model({
    id: "soft",
    name: "Captions, soft",
    task: "caption",
    mechanism: "soft",
    order: "before",
    heads: 1,
    layers: 1,
    examples: [],
    ...change,
  });
