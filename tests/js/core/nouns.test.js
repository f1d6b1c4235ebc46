import assert from "node:assert/strict";
import { test } from "node:test";

import { nounsOf } from "../../../static/js/core/nouns.js";

const CAPTIONS = [
  ["a man in a black jacket is holding a camera .", ["man", "jacket", "camera"]],
  ["two dogs run through the green grass", ["dogs", "grass"]],
  [
    "a plate of food on a wooden table with a fork and a knife",
    ["plate", "food", "table", "fork", "knife"],
  ],
  ["giraffes standing near trees", ["giraffes", "trees"]],
  ["yes", []],
  ["2", []],
];

for (const [text, nouns] of /** @type {[string, string[]][]} */ (CAPTIONS))
  test(`the nouns of “${text}”`, () => {
    const words = text.split(" ");
    assert.deepEqual(
      nounsOf(words).map((place) => words[place]),
      nouns,
    );
  });
