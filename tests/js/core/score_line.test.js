import assert from "node:assert/strict";
import { test } from "node:test";

import { WAYS, curve } from "../../../static/js/core/score_line.js";

/** The key with the largest score on the line. */
const best = (way, query) =>
  curve(WAYS[way], query, 3, 121).reduce((most, one) => (one[1] > most[1] ? one : most))[0];

test("one unit prefers the last key, two units the key nearest to the query", () => {
  for (const query of [-1.5, 0, 0.7]) {
    assert.equal(best("step", query), 3);
    assert.ok(Math.abs(best("hill", query) - query) < 0.03);
  }
});

test("a product prefers the key furthest out on the side of the query, or with W = -1 on the other", () => {
  assert.deepEqual([best("dot", 1), best("dot", -1)], [3, -3]);
  assert.deepEqual([best("general", 1), best("general", -1)], [-3, 3]);
  assert.equal(WAYS.dot.score(0, 3), 0);
});
