import assert from "node:assert/strict";
import { test } from "node:test";

import {
  bleuByLength,
  described,
  lengthChart,
} from "../../../../static/js/views/compare/lengths.js";

const SIZE = { width: 600, height: 200 };
/** @returns {any} */
const card = (id, figures, mechanism = "additive") => ({
  id,
  mechanism,
  name: `English → French, ${id}`,
  quality: Object.fromEntries(
    Object.entries(figures).map(([limit, bleu]) => [`bleu_up_to_${limit}_words`, bleu]),
  ),
});
/** @type {any} */
const additive = card("additive", { 20: 57.7, 10: 61.8, 30: 57.5 });
/** @type {any} */
const none = card("none", { 10: 43.9, 20: 35.2, 30: 19.9 }, "none");

test("figures are read in the order of their lengths, whatever else was measured", () => {
  const quality = { ...additive.quality, tatoeba_bleu: 47.8, bleu_with_rare_words: 24.6 };
  assert.deepEqual(bleuByLength({ quality }), [
    { from: 1, to: 10, bleu: 61.8 },
    { from: 11, to: 20, bleu: 57.7 },
    { from: 21, to: 30, bleu: 57.5 },
  ]);
});

test("there is a chart only where two models were measured", () => {
  assert.equal(lengthChart([additive, card("other", {})], 5, SIZE), null);
  assert.equal(lengthChart([additive, card("other", { 10: 1 })], 5, SIZE), null);
  assert.ok(lengthChart([additive, none], 5, SIZE));
});

test("points lie where the axes say", () => {
  const { curves, lengths, scores, current } = lengthChart([additive, none], 12, SIZE);
  assert.deepEqual(
    curves[1].points.map(({ x }) => x),
    lengths.map(({ x }) => x),
  );
  assert.deepEqual(
    lengths.map(({ text }) => text),
    ["1–10", "11–20", "21–30"],
  );
  assert.deepEqual(
    scores.map(({ text }) => text),
    ["0", "20", "40", "60", "80"],
  );
  assert.ok(Math.abs(curves[1].points[2].y - 200 * (1 - 19.9 / 80)) < 1e-9);
  assert.ok(Math.abs(current - (11.5 / 30) * 600) < 1e-9);
  assert.equal(lengthChart([additive, none], 31, SIZE).current, null);
});

test("names at the ends of the curves do not meet, and stay beside the field", () => {
  /** @type {any} */
  const alike = Array.from({ length: 7 }, (_, index) =>
    card(`m${index}`, { 10: 9, 20: 2 + index / 9 }),
  );
  const { curves } = lengthChart(alike, 5, SIZE);
  const heights = curves.map(({ label }) => label).sort((a, b) => a - b);
  for (const [index, height] of heights.entries()) {
    assert.ok(height <= SIZE.height && height >= 0);
    if (index) assert.ok(height - heights[index - 1] >= 16 - 1e-9);
  }
});

test("the chart can be read out", () => {
  const [, curve] = lengthChart([additive, none], 5, SIZE).curves;
  assert.equal(
    described(curve),
    "none: 43.9 for 1 to 10 words, 35.2 for 11 to 20 words, 19.9 for 21 to 30 words",
  );
});
