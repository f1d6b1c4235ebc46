import assert from "node:assert/strict";
import { test } from "node:test";

import { unpacked } from "../../../static/js/core/packed.js";

test("places become arrays again, with the digits that the API has", () => {
  const numbers = new Float32Array([0.12345, 1, -2.5, 7]);
  const value = { maps: [{ weights: { array: { at: 0, shape: [2, 1] } } }], text: "a", none: null };
  assert.deepEqual(unpacked(value, numbers), {
    maps: [{ weights: [[0.12345], [1]] }],
    text: "a",
    none: null,
  });
  assert.deepEqual(unpacked({ array: { at: 2, shape: [2] } }, numbers), [-2.5, 7]);
});

test("numbers that are not finite become null, as in JSON", () => {
  const numbers = new Float32Array([-Infinity, 1]);
  assert.deepEqual(unpacked({ array: { at: 0, shape: [2] } }, numbers), [null, 1]);
});
