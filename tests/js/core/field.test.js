import assert from "node:assert/strict";
import { test } from "node:test";

import { fieldOf, levelOf, outline, peak } from "../../../static/js/core/field.js";

const one = (cell, count = 16) =>
  Array.from({ length: count }, (_, index) => Number(index === cell));

test("without smoothing every point has the weight of its cell", () => {
  const { width, height, values } = fieldOf([1, 2, 3, 4], 2, 2, 0, 3);
  assert.deepEqual([width, height], [6, 6]);
  assert.deepEqual([...values.slice(0, 6)], [1, 1, 1, 2, 2, 2]);
  assert.deepEqual([...values.slice(30)], [3, 3, 3, 4, 4, 4]);
});

test("even weights stay even however they are smoothed, at the edge too", () => {
  for (const smoothing of [0.1, 0.5, 1]) {
    const { values } = fieldOf(Array(196).fill(1 / 196), 14, 14, smoothing);
    for (const value of values) assert.ok(Math.abs(value - 1 / 196) < 1e-6);
  }
});

test("smoothing lowers the peak and leaves it where it was", () => {
  const crisp = fieldOf(one(5), 4, 4, 0, 5);
  const smooth = fieldOf(one(5), 4, 4, 0.6, 5);
  assert.ok(peak(smooth) < peak(crisp));
  const at = smooth.values.indexOf(peak(smooth));
  assert.deepEqual([Math.floor((at % 20) / 5), Math.floor(at / 20 / 5)], [1, 1]);
});

test("the level surrounds as much as was asked for, and no more than it must", () => {
  const field = fieldOf([0.5, 0.3, 0.15, 0.05], 2, 2, 0, 1);
  assert.equal(levelOf(field, 0.5), 0.5);
  assert.equal(levelOf(field, 0.6), 0.3);
  assert.equal(levelOf(field, 1), 0.05);
});

/** How often each end of a line occurs: twice where lines close. */
function ends(path) {
  const found = new Map();
  for (const [, end] of path.matchAll(/[ML]([\d.]+ [\d.]+)/g))
    found.set(end, (found.get(end) ?? 0) + 1);
  return [...found.values()];
}

test("an outline closes, in the middle and at the edge", () => {
  for (const cell of [5, 0, 3, 15]) {
    const field = fieldOf(one(cell), 4, 4, 0.4, 6);
    const path = outline(field, levelOf(field, 0.5));
    assert.ok(path.length > 100);
    const odd = ends(path).filter((count) => count % 2);
    assert.ok(odd.length === 0, `${cell}: ${odd.length} loose ends`);
  }
});

test("an outline lies around what it should, within the picture", () => {
  const field = fieldOf(one(10), 4, 4, 0.3, 6);
  const numbers = [...outline(field, levelOf(field, 0.5)).matchAll(/([\d.]+) ([\d.]+)/g)].map(
    ([, x, y]) => [Number(x), Number(y)],
  );
  for (const [x, y] of numbers) {
    assert.ok(x > 400 && x < 850, String(x));
    assert.ok(y > 400 && y < 850, String(y));
  }
});

test("two regions apart have two outlines, and a saddle is no mess", () => {
  const weights = one(0).map((value, index) => value + Number(index === 5));
  const path = outline(fieldOf(weights, 4, 4, 0, 2), 0.5);
  assert.ok(ends(path).every((count) => count % 2 === 0));
});
