import assert from "node:assert/strict";
import { test } from "node:test";

import { ImportError } from "../../../static/js/core/errors.js";
import { readStoryTrace } from "../../../static/js/import/story_trace.js";
import { imported } from "../../../static/js/import/trace_file.js";
import { storyTrace } from "../stories.js";

const bytes = (trace) => new TextEncoder().encode(JSON.stringify(trace));

test("a saved trace is read as it is", () => {
  assert.deepEqual(readStoryTrace(bytes(storyTrace())), storyTrace());
});

for (const [why, change] of Object.entries({
  "no sentences": { source: { kind: "sentences", text: "" } },
  "no hops": { target: { kind: "hops", text: "" } },
  "no question": { question: null },
  "no map": { maps: [] },
  "too few steps": { steps: storyTrace().steps.slice(1) },
  "a row that sums to 2": {
    maps: [
      {
        ...storyTrace().maps[0],
        weights: [
          [1, 1, 0],
          [0, 0, 1],
        ],
      },
    ],
  },
}))
  test(`a trace with ${why} is refused`, () => {
    assert.throws(() => readStoryTrace(bytes(storyTrace(change))), ImportError);
  });

test("the page of texts names the page of a story", async () => {
  await assert.rejects(imported(bytes(storyTrace())), /Story page/);
  assert.throws(() => readStoryTrace(bytes({ schema: "heed.trace/2" })), ImportError);
});
