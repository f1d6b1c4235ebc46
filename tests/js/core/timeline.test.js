import assert from "node:assert/strict";
import { test } from "node:test";

import { phasesOf } from "../../../static/js/core/timeline.js";

/** A timeline of operations that take a millisecond each, one after the other. */
const timeline = (...kinds) => ({
  model: "m",
  text: "le",
  runs: 1,
  milliseconds: kinds.length,
  read: ["the", " dog"],
  written: ["le", ""],
  operations: kinds.map(([kind, place], at) => ({ kind, place, start: at, end: at + 1 })),
});

test("a recurrent model reads words, and writes in steps that begin anew at 0", () => {
  const [reading, writing] = phasesOf(
    timeline(
      ["forwards", 0],
      ["forwards", 1],
      ["backwards", 1],
      ["backwards", 0],
      ["attention", 0],
      ["update", 0],
      ["output", 0],
      ["attention", 0],
      ["update", 0],
      ["output", 0],
    ),
  );
  assert.deepEqual(
    reading.lanes.map(({ name, bars }) => [name, bars.map(({ title }) => title)]),
    [
      ["a word, →", ["the: 1.000 ms", "dog: 1.000 ms"]],
      ["a word, ←", ["dog: 1.000 ms", "the: 1.000 ms"]],
    ],
  );
  assert.equal(writing.lanes[0].bars[0].start, 0);
  assert.deepEqual(
    writing.lanes[2].bars.map(({ title }) => title),
    ["le: 1.000 ms", "⟨end⟩: 1.000 ms"],
  );
  assert.deepEqual([reading.milliseconds, writing.milliseconds], [4, 6]);
});

test("the encoder of a Transformer ends before the self-attention that cross-attention follows", () => {
  const [reading, writing] = phasesOf(
    timeline(
      ["self", 0],
      ["feed-forward", 0],
      ["self", 0],
      ["cross", 0],
      ["feed-forward", 0],
      ["output", 0],
    ),
  );
  assert.deepEqual(
    reading.lanes.map(({ bars }) => bars[0].title),
    ["layer 1, all words: 1.000 ms", "layer 1, all words: 1.000 ms"],
  );
  assert.deepEqual(
    writing.lanes.map(({ name }) => name),
    ["self-attention", "cross-attention", "feed-forward", "next piece"],
  );
});
