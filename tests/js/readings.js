/** The trace of a sentence that was read word by word, as small as it can be. */

import { axis, model, step, trace } from "./traces.js";

const vector = (...summary) => ({ size: summary.length, norm: 1, summary });

/** “keys to be” and its end, where “be” leans on “keys”. @returns {any} */
export function readingTrace(change = {}) {
  const target = axis([["keys"], ["to"], ["be"]], "mean");
  const source = {
    ...target,
    tokens: target.tokens.slice(0, -1),
    words: target.words.slice(0, -1),
  };
  const none = null;
  const made = {
    source,
    target,
    model: { id: "toy", weights: "0".repeat(64), mechanism: "intra", order: "before" },
    task: "read",
    maps: [
      {
        ...{ kind: "decoder-self", layer: 0, head: 0, query: "target", key: "decoder_input" },
        weights: [
          [1, 0, 0, 0],
          [0.25, 0.75, 0, 0],
          [0.05, 0.9, 0.05, 0],
          [0.25, 0.25, 0.25, 0.25],
        ],
        scores: [
          [1, none, none, none],
          [0, 1.0986, none, none],
          [0, 2.8904, 0, none],
          [2, 2, 2, 2],
        ],
        queries: [1, 2, 3, 4].map((value) => vector(value, 0)),
        keys: [1, 2, 3, 4].map((value) => vector(0, value)),
        values: [1, 2, 3, 4].map((value) => vector(value, value, 1)),
      },
    ],
    steps: target.tokens.map(() => ({
      ...step(0.5),
      cell: vector(1, 2, 3),
      cell_context: vector(2, 2, 2),
      gates: [vector(0.1, 0.2), vector(0.3, 0.4), vector(0.5, 0.6)],
    })),
  };
  return trace({ ...made, ...change });
}

export const READER = model({ task: "read", mechanism: "intra", order: "before", heads: 1 });
