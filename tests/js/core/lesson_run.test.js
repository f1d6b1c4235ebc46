import assert from "node:assert/strict";
import { test } from "node:test";

import {
  CHECKS,
  bestOf,
  guesses,
  onCells,
  othersOf,
  unmet,
  verdict,
} from "../../../static/js/core/lesson_run.js";

/** @param {string} text */
function axis(text) {
  const words = [...text.matchAll(/\S+/g)].map((found) => ({
    text: found[0],
    start: found.index,
    end: found.index + found[0].length,
    special: false,
  }));
  const tokens = words.map((word, place) => ({ ...word, id: place, word: place }));
  return { kind: "tokens", text, words, tokens, merge: "sum", rare_words: [], unknown_words: [] };
}

/** @param {number[]} probabilities */
const steps = (probabilities) =>
  probabilities.map((probability) => ({
    probability,
    alternatives: [
      { text: "rouge", probability },
      { text: "bleue", probability: 1 - probability },
    ],
  }));

const trace = /** @type {any} */ ({
  text: "la voiture rouge",
  finish: "end",
  request: { text: "the red car" },
  source: axis("the red car"),
  target: axis("la voiture rouge"),
  runners_up: [],
  maps: [
    {
      kind: "cross",
      layer: 0,
      head: 0,
      query: "target",
      key: "source",
      weights: [
        [0.9, 0.05, 0.05],
        [0, 0.1, 0.9],
        [0.25, 0.5, 0.25],
      ],
    },
  ],
  steps: steps([0.9, 0.8, 0.6]),
});
const run = { trace, authored: "the red car" };

test("a run meets what it is, and the conditions that it does not meet are named", () => {
  assert.deepEqual(
    unmet(
      {
        writes: "la voiture rouge",
        contains: ["Rouge"],
        lacks: ["bleue"],
        ends: true,
        row: "rouge",
        strongest: "red",
        at_least: 0.5,
        some_row_above: 0.9,
        some_row_below: 0.5,
        crosses: true,
        least_certain: 0.6,
        least_words: 3,
        most_words: 3,
      },
      run,
    ),
    [],
  );
  assert.deepEqual(unmet({ row: "rouge", strongest: "car" }, run), ["strongest"]);
  assert.deepEqual(unmet({ own: true, edited: true, least_words: 4 }, run), [
    "own",
    "edited",
    "least_words",
  ]);
});

test("a goal about other models needs their outputs", () => {
  const goal = { same_as: "a", differs_from: "b" };
  assert.deepEqual(othersOf(goal), ["a", "b"]);
  assert.deepEqual(unmet(goal, run), ["same_as", "differs_from"]);
  assert.deepEqual(unmet(goal, { ...run, others: { a: trace.text, b: "autre" } }), []);
});

test("a guess is worth the weight, or the probability, on it", () => {
  assert.deepEqual(bestOf(guesses(trace, "word", 1)), { label: "car", value: 0.9 });
  assert.deepEqual(
    guesses(trace, "next", 2).map(({ label }) => label),
    ["bleue", "rouge"],
  );
});

test("questions are answered from the run", () => {
  const answer = (/** @type {string} */ key) => bestOf(CHECKS[key].options(trace, 2)).label;
  assert.deepEqual(Object.keys(CHECKS).map(answer), ["red", "car", "la", "rouge", "rouge", "3"]);
});

test("a mark is no choice, and neither is a word after the one that is read", () => {
  const end = { text: "", start: 0, end: 0, special: true };
  const { source } = trace;
  const marked = {
    ...trace,
    source: {
      ...source,
      words: [...source.words, end],
      tokens: [...source.tokens, { ...end, id: 9, word: 3 }],
    },
    maps: [
      {
        ...trace.maps[0],
        weights: [
          [0.1, 0.1, 0.1, 0.7],
          [0.1, 0.7, 0.1, 0.1],
          [1, 0, 0, 0],
        ],
      },
    ],
  };
  const labels = (/** @type {any} */ run, /** @type {number} */ step) =>
    guesses(run, "word", step).map(({ label }) => label);
  assert.deepEqual(labels(marked, 1), ["the", "red", "car"]);
  assert.deepEqual(labels(marked, 0), ["the", "red", "car", "⟨end⟩"], "it is the answer");
  const masked = {
    ...trace,
    maps: [{ ...trace.maps[0], kind: "decoder-self", query: "decoder_input", key: "target" }],
    source: trace.target,
  };
  assert.deepEqual(labels(masked, 1), ["la", "voiture"]);
});

test("a verdict says in words what a choice is worth", () => {
  const [one, other] = [
    { label: "ne", value: 1.5 },
    { label: "pas", value: 0.25 },
  ];
  const { worth } = CHECKS["most-spread"];
  assert.equal(
    verdict(other, one, worth),
    "You chose “pas” (spread over 0.25 bits). The answer is “ne” (spread over 1.50 bits).",
  );
  assert.equal(verdict(null, one, worth), "The answer: “ne” (spread over 1.50 bits).");
  assert.equal(
    verdict(
      { label: "ne", value: 0.75 },
      { label: "ne", value: 0.75 },
      CHECKS["least-certain"].worth,
    ),
    "Yes: “ne” (probability 0.25).",
  );
});

test("a guess on a photo is compared with equal weights and the best cells", () => {
  const photo = {
    ...trace,
    source: { kind: "grid", rows: 1, columns: 3, left: 0, top: 0, width: 3, height: 1 },
  };
  const { value = 0, best = 0, even = 0 } = onCells(photo, 1, [1, 2]) ?? {};
  assert.ok(
    Math.abs(value - 1) < 1e-9 && Math.abs(best - 1) < 1e-9 && Math.abs(even - 2 / 3) < 1e-9,
  );
  assert.deepEqual(
    unmet({ row: "voiture", inside: [0.6, 0, 1, 1], at_least: 0.9 }, { trace: photo }),
    [],
  );
});
