import assert from "node:assert/strict";
import { test } from "node:test";

import { DEFAULTS } from "../../../static/js/core/state.js";
import { sceneOf } from "../../../static/js/core/scene.js";
import { readPictureTrace } from "../../../static/js/import/picture_trace.js";
import { imported } from "../../../static/js/import/trace_file.js";
import { pictureTrace } from "../picture_traces.js";
import { axis, map, model, trace } from "../traces.js";

const bytes = (value) => new TextEncoder().encode(JSON.stringify(value));
const vector = (summary) => ({ size: 4, norm: 1, summary, values: null });

/** The trace as an earlier version of Heed wrote it. */
function asSchema1(value) {
  const text = JSON.stringify({ ...value, schema: "heed.trace/1" });
  return JSON.parse(
    text
      .replaceAll('"rare_words"', '"strangers"')
      .replaceAll('"decoder_input"', '"fed"')
      .replaceAll('"summary"', '"picture"'),
  );
}

/** A trace with every name that schema 2 changed, in a hypothesis and in a runner-up. */
function whole() {
  const source = { ...axis([["the"], ["cat"]]), rare_words: [1] };
  const made = trace({ source, memory: source.tokens.map(() => vector([1, 2])) });
  const steps = made.target.tokens.map(() => ({
    probability: 0.5,
    surprise: 1,
    alternatives: [],
    query: vector([1]),
    context: vector([2]),
    state: null,
  }));
  const self = {
    ...map(made.target, made.target, {
      kind: "decoder-self",
      query: "target",
      key: "decoder_input",
    }),
    queries: [vector([3])],
    keys: [vector([4])],
    values: [vector([5])],
  };
  const output = {
    text: made.text,
    target: { ...made.target, rare_words: [0] },
    maps: [...made.maps, self],
    steps,
    log_probability: -1,
    score: -1,
    finish: "end",
  };
  return { ...made, ...output, runners_up: [output] };
}

test("a trace of schema 1 is read as the same trace of schema 2", async () => {
  const now = await imported(bytes(whole()));
  assert.deepEqual(await imported(bytes(asSchema1(whole()))), now);
  assert.equal(now.schema, "heed.trace/2");
  assert.ok(now.maps.some(({ key }) => key === "decoder_input"));
  assert.deepEqual(
    sceneOf(now, DEFAULTS, model()).view.columns.map(({ rare }) => rare ?? false),
    [false, true, false],
  );
});

test("a picture's trace of schema 1 is converted, and its photo keeps its name", () => {
  const old = asSchema1(pictureTrace());
  assert.ok(old.picture.preview);
  assert.deepEqual(readPictureTrace(bytes(old)), readPictureTrace(bytes(pictureTrace())));
});

test("an invalid trace of schema 1 is refused, not repaired", async () => {
  for (const change of [
    { source: null },
    { maps: "none" },
    { maps: [null] },
    { steps: [1] },
    { target: 3 },
  ]) {
    await assert.rejects(
      imported(bytes({ ...asSchema1(trace()), ...change })),
      { name: "Error" },
      JSON.stringify(change),
    );
  }
});
