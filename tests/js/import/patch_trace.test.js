import assert from "node:assert/strict";
import { test } from "node:test";

import { readPatchTrace } from "../../../static/js/import/patch_trace.js";
import { patchTrace } from "../patches.js";
import { partial } from "../traces.js";

/** @returns {any} */
const read = (value) => readPatchTrace(new TextEncoder().encode(JSON.stringify(value)));

test("a saved trace is read as it was", () => {
  const trace = patchTrace();
  assert.deepEqual(read(trace), trace);
  const { positions, ...bare } = trace;
  assert.equal(positions.length, 5);
  assert.equal(read({ ...bare, steps: undefined }).steps.length, 0);
});

const refused = [
  ["the trace of a text", { source: { kind: "tokens" } }, /not the trace of patches/],
  ["maps of a captioner", { maps: patchTrace().maps.slice(-1) }, /not the trace of patches/],
  ["maps that are none", { maps: "none" }, /not the trace of patches/],
  ["a grid without a photo", { picture: null }, /which part of its picture/],
  ["weights of another size", { maps: [{ ...patchTrace().maps[0], weights: [[1]] }] }, /rows/],
  ["another axis", { maps: [{ ...patchTrace().maps[0], key: "target" }] }, /name its axes/],
  ["positions of another size", { positions: [[1]] }, /5 rows of 5/],
  ["a missing output", { text: 7 }, /output text/],
];
for (const [name, change, message] of refused)
  test(`${name} is refused`, () => {
    assert.throws(() => read(patchTrace(partial(change))), partial(message));
  });

test("a very large file is refused", () => {
  assert.throws(() => readPatchTrace(new Uint8Array(33 * 1024 * 1024)), /larger than 32 MB/);
});
