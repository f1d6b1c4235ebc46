import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { editedRow, permutation } from "../../../static/js/core/edits.js";

const VECTORS = JSON.parse(
  readFileSync(new URL("../../models/edits/vectors.json", import.meta.url), "utf8"),
);

for (const { name, scores, edits, weights } of VECTORS.rows)
  test(`a row has the weights of the server: ${name}`, () => {
    const found = editedRow(scores, edits);
    weights.forEach((wanted, key) => assert.ok(Math.abs(found[key] - wanted) < 1e-8, `${found}`));
    assert.equal(found.length, weights.length);
  });

test("a permutation has the order of the server", () => {
  const { count, seed, order } = VECTORS.permutation;
  assert.deepEqual(permutation(count, seed), order);
});

test("an operation that does not exist is an error", () => {
  assert.throws(() => editedRow([1, 2], [{ op: "shake" }]), /shake/);
});
