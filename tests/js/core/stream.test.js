import assert from "node:assert/strict";
import { test } from "node:test";

import { startedTrace, eventReader, withStep } from "../../../static/js/core/stream.js";
import { axis, map, step, trace } from "../traces.js";

const SOURCE = axis([["the"], ["cat"]]);
const TEXT = 'event: start\ndata: {"a": 1}\n\nevent: step\ndata: {"b": "x: y"}\n\n';

const start = () => {
  const { schema, model, task, request, source } = trace({ source: SOURCE });
  return startedTrace({ schema, model, task, request, source });
};

/** The step that writes the last token of these words. */
function stepOf(words, since, kinds = [{}]) {
  const whole = axis(words, "mean");
  const target = { ...whole, tokens: whole.tokens.slice(0, -1), words: whole.words.slice(0, -1) };
  const maps = kinds.map((kind) => {
    const made = map(SOURCE, target, kind);
    return { ...made, weights: made.weights.slice(since), scores: made.scores.slice(since) };
  });
  return {
    index: target.tokens.length - 1,
    since,
    target,
    maps,
    steps: target.tokens.slice(since).map(() => step(0.5)),
  };
}

test("events are read however the stream is cut", () => {
  for (const size of [1, 2, 7, TEXT.length]) {
    const read = eventReader();
    const events = [];
    for (let at = 0; at < TEXT.length; at += size) events.push(...read(TEXT.slice(at, at + size)));
    assert.deepEqual(events, [
      { name: "start", data: '{"a": 1}' },
      { name: "step", data: '{"b": "x: y"}' },
    ]);
  }
});

test("an event without a name is a message, and its lines are joined", () => {
  assert.deepEqual(eventReader()("data: one\r\ndata: two\r\n\r\n"), [
    { name: "message", data: "one\ntwo" },
  ]);
});

test("an event that is not complete is kept back", () => {
  assert.deepEqual(eventReader()("event: step\ndata: 1\n"), []);
});

test("each step adds its rows to those before", () => {
  const one = withStep(start(), stepOf([["le"]], 0));
  const two = withStep(one, stepOf([["le"], ["chat"]], 1));
  assert.equal(two.text, "le chat");
  assert.equal(two.steps.length, 2);
  assert.equal(two.maps[0].weights.length, 2);
  assert.deepEqual(two.maps[0].weights[0], one.maps[0].weights[0]);
  assert.equal(two.maps[0].scores.length, 2);
});

test("a beam that changed its mind drops what it wrote before", () => {
  const before = withStep(withStep(start(), stepOf([["le"]], 0)), stepOf([["le"], ["chien"]], 1));
  const after = withStep(before, stepOf([["un"], ["chat"], ["noir"]], 0));
  assert.equal(after.text, "un chat noir");
  assert.equal(after.maps[0].weights.length, 3);
  assert.equal(after.steps.length, 3);
});

test("rows of a decoder that looks back grow as wide as the newest", () => {
  const own = [{ kind: "decoder-self", key: "decoder_input" }];
  const one = withStep(start(), stepOf([["le"]], 0, own));
  const two = withStep(one, stepOf([["le"], ["chat"]], 1, own));
  assert.deepEqual(
    two.maps[0].weights.map((row) => row.length),
    [2, 2],
  );
  assert.deepEqual(two.maps[0].scores[0].at(-1), null);
});

test("the trace on the screen is left as it is", () => {
  const one = withStep(start(), stepOf([["le"]], 0));
  const copy = structuredClone(one);
  withStep(one, stepOf([["le"], ["chat"]], 1));
  assert.deepEqual(one, copy);
});

test("a model without attention grows without maps", () => {
  assert.deepEqual(withStep(start(), stepOf([["le"]], 0, [])).maps, []);
});
