import assert from "node:assert/strict";
import { test } from "node:test";

import {
  selectedAmong,
  sumsOfColumns,
  sumsOfRows,
  toggled,
} from "../../../static/js/core/selection.js";
import { items } from "../../../static/js/core/trace.js";
import { axis } from "../traces.js";

const AXIS = axis([["inter", "nation", "al"], ["law"]]);
const WEIGHTS = [
  [0.5, 0.25, 0.25],
  [0.1, 0.2, 0.7],
];

test("a held token is found again in words and in pieces", () => {
  assert.deepEqual(selectedAmong(items(AXIS, "subwords"), [1]), [1]);
  assert.deepEqual(selectedAmong(items(AXIS, "words"), [1]), [0]);
  assert.deepEqual(selectedAmong(items(AXIS, "words"), [3, 99]), [1]);
});

test("pressing holds, pressing again lets go", () => {
  const [word, law] = items(AXIS, "words");
  const both = toggled(toggled([], law), word);
  assert.deepEqual(both, [0, 3]);
  assert.deepEqual(toggled(both, word), [3]);
});

test("a word whose second piece is held is let go whole", () => {
  assert.deepEqual(toggled([1, 2], items(AXIS, "words")[0]), []);
});

test("sums run over what is held, and nothing held is nothing", () => {
  assert.deepEqual(
    sumsOfRows(WEIGHTS, [0, 1]).map((sum) => sum.toFixed(2)),
    ["0.75", "0.30"],
  );
  assert.deepEqual(
    sumsOfColumns(WEIGHTS, [0, 1]).map((sum) => sum.toFixed(2)),
    ["0.60", "0.45", "0.95"],
  );
  assert.deepEqual(sumsOfRows(WEIGHTS, []), [0, 0]);
  assert.deepEqual(sumsOfColumns([], []), []);
});
