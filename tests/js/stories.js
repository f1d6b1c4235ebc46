/** A trace of a story, as the server sends it, and a model for it. */

import { IMPORTED_MODEL } from "../../static/js/core/imported_model.js";
import { traceOf, vector } from "./traces.js";

const words = (text) =>
  text.split(" ").map((each, index, all) => {
    const start = all.slice(0, index).join(" ").length + (index ? 1 : 0);
    return { text: each, start, end: start + each.length, special: false };
  });

export const STORY = "Mary left. Zoe has it.";
export const WEIGHTS = [
  [0.1, 0.7, 0.2],
  [0, 0.05, 0.95],
];

/** A network of two hops over two sentences and the empty one. @param {object} [change] @returns {any} */
export function storyTrace(change = {}) {
  const question = "Who has it";
  const answers = [
    ["Zoe", 0.6],
    ["Mary", 0.4],
  ];
  return traceOf({
    model: { id: "memory", weights: "", mechanism: "memory", order: "before" },
    task: "story",
    source: {
      kind: "sentences",
      text: STORY,
      sentences: [
        { text: "<no sentence>", start: 0, end: 0, special: true },
        { text: "Mary left.", start: 0, end: 10, special: false },
        { text: "Zoe has it.", start: 11, end: 22, special: false },
      ],
      unknown_words: [{ text: "Zoe", start: 11, end: 14, special: false }],
    },
    question: {
      kind: "tokens",
      text: question,
      tokens: words(question).map((word, index) => ({ ...word, id: index, word: index })),
      words: words(question),
      merge: "sum",
      rare_words: [],
    },
    target: { kind: "hops", text: "Zoe", hops: 2 },
    maps: [
      {
        kind: "cross",
        layer: 0,
        head: 0,
        query: "target",
        key: "source",
        weights: WEIGHTS,
        scores: WEIGHTS.map((row) => row.map((weight) => Math.log(weight || 1e-9))),
      },
    ],
    steps: WEIGHTS.map(() => ({
      probability: 0.6,
      surprise: 0.7,
      alternatives: answers.map(([text, probability], id) => ({ id, text, probability })),
      query: vector(),
      context: vector(),
      state: vector(),
      keys: [vector(), vector(), vector()],
      values: [vector(), vector(), vector()],
    })),
    ...change,
  });
}

/** @type {any} */
export const STORY_MODEL = {
  ...IMPORTED_MODEL,
  id: "memory",
  name: "Memory network",
  task: "story",
  mechanism: "memory",
  order: "before",
  examples: ["Mary left.\nWhere is Mary?"],
};
