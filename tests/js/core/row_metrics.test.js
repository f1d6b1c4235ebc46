import assert from "node:assert/strict";
import { test } from "node:test";

import { coverage, entropy, rowMetrics } from "../../../static/js/core/row_metrics.js";
import { sceneOf } from "../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../static/js/core/state.js";
import { axis, map, model, trace } from "../traces.js";

test("entropy is none for one place and the logarithm of their number for all alike", () => {
  assert.equal(entropy([1, 0, 0]), 0);
  assert.equal(entropy([0.25, 0.25, 0.25, 0.25]), 2);
});

test("coverage is the sum of a column, and all coverages sum to the rows", () => {
  assert.equal(
    coverage(
      [
        [0.5, 0.5],
        [1, 0],
      ],
      0,
    ),
    1.5,
  );
  const scene = sceneOf(trace(), DEFAULTS, model());
  const { coverages, entropies, probabilities } = rowMetrics(scene);
  const total = coverages.reduce((sum, value) => sum + value, 0);
  assert.ok(Math.abs(total - scene.view.rows.length) < 1e-9);
  assert.equal(entropies.length, scene.view.rows.length);
  assert.ok(probabilities.every((value) => value > 0 && value <= 1));
});

test("what was read has no probability", () => {
  const { source, target } = { source: axis([["a"]]), target: axis([["b"]], "mean") };
  const own = { ...map(source, target, { kind: "encoder-self", query: "source" }) };
  const scene = sceneOf(trace({ source, target, maps: [own] }), DEFAULTS, model());
  assert.deepEqual(rowMetrics(scene).probabilities, [null, null]);
});
