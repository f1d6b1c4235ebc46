import assert from "node:assert/strict";
import { test } from "node:test";

import { readGlimpseTrace } from "../../../static/js/import/glimpse_trace.js";
import { glimpseTrace } from "../glimpses.js";
import { partial } from "../traces.js";

/** @returns {any} */
const bytes = (value) => new TextEncoder().encode(JSON.stringify(value));

test("a saved trace comes back whole", () => {
  assert.deepEqual(readGlimpseTrace(bytes(glimpseTrace())), glimpseTrace());
});

const step = glimpseTrace().steps[0];
for (const [name, change, message] of [
  ["another kind", { target: { kind: "tokens" } }, /neither a picture nor the trace/],
  ["no picture", { picture: undefined }, /no picture/],
  [
    "a picture elsewhere",
    { picture: { ...glimpseTrace().picture, preview: "http:x" } },
    /no picture/,
  ],
  ["no glimpses", { target: { kind: "glimpses", text: "", glimpses: [] } }, /no glimpses/],
  ["no squares", { target: { kind: "glimpses", text: "", glimpses: [[]] } }, /no squares/],
  ["a step too few", { steps: [step] }, /belief for every glimpse/],
  ["no beliefs", { steps: [step, { ...step, alternatives: [] }] }, /belief for every glimpse/],
  ["odd patches", { steps: [step, { ...step, seen: [[[0]]] }] }, /not squares of numbers/],
  ["no map", { maps: [] }, /one map/],
])
  test(`a trace with ${name} is refused`, () => {
    assert.throws(() => readGlimpseTrace(bytes(glimpseTrace(partial(change)))), { message });
  });
