import assert from "node:assert/strict";
import { test } from "node:test";

import {
  perplexity,
  surpriseShare,
  unknownNote,
} from "../../../../static/js/core/reading_scene.js";
import { readReadingTrace } from "../../../../static/js/import/reading_trace.js";
import { imported } from "../../../../static/js/import/trace_file.js";
import { read } from "../../../../static/js/pages/read/page.js";
import { READER, readingTrace } from "../../readings.js";
import { trace as translated, partial } from "../../traces.js";

const sceneOf = (change = {}) =>
  read.sceneOf(readingTrace(), { ...read.state.DEFAULTS, ...change }, READER);
const bytes = (trace) => new TextEncoder().encode(JSON.stringify(trace));

test("it opens with arcs, at the word that leans farthest back", () => {
  const scene = sceneOf();
  assert.equal(scene.viewName, "arcs");
  assert.equal(scene.row, 2);
  assert.equal(sceneOf({ step: 1 }).row, 1);
  assert.equal(sceneOf({ view: "map" }).viewName, "map");
});

test("an address has the sentence and the smallest weight", () => {
  const { DEFAULTS, fromQuery, toQuery } = read.state;
  const settings = { ...DEFAULTS, text: "A dog", least: 20, view: "step", step: 0 };
  assert.equal(toQuery(settings), "?text=A+dog&step=1&view=step&least=20");
  assert.deepEqual(fromQuery(toQuery(settings)), settings);
});

test("a trace answers its own request, and an example the page", () => {
  /** @type {any} */
  const trace = readingTrace();
  const body = read.body(read.settingsOf(trace), READER);
  assert.deepEqual(body, { text: "keys to be", model: "toy" });
  assert.ok(read.answers(trace, body));
  assert.equal(read.body({}, READER).text, READER.examples[0]);
  assert.equal(read.frameTitle(trace), "keys to be");
});

test("the arrays have the words and the weights", () => {
  const { weights, target } = read.arrays(sceneOf());
  assert.deepEqual(weights.shape, [1, 1, 4, 4]);
  assert.deepEqual(target.data, ["keys", "to", "be", "</s>"]);
});

test("perplexity is that of equally likely words", () => {
  assert.equal(perplexity([{ surprise: 3 }, { surprise: 5 }]), 16);
  assert.equal(surpriseShare({ surprise: 8 }), 0.5);
  assert.equal(surpriseShare({ surprise: 99 }), 1);
  assert.equal(surpriseShare(undefined), 0);
});

test("unknown words are named", () => {
  /** @type {any} */
  const trace = readingTrace();
  assert.equal(unknownNote(trace), "");
  assert.match(
    unknownNote(partial({ source: { ...trace.source, rare_words: [0] } })),
    /alike: “keys”\./,
  );
});

test("a trace is read again, and another one is refused with a reason", () => {
  assert.equal(readReadingTrace(bytes(readingTrace())).text, "keys to be");
  assert.throws(() => readReadingTrace(bytes(translated())), /not the trace of a sentence/);
  assert.throws(() => readReadingTrace(bytes(readingTrace({ maps: [] }))), /should have one map/);
});

test("the page of texts names the page of reading", async () => {
  await assert.rejects(imported(bytes(readingTrace())), /Open the Reading page/);
});
