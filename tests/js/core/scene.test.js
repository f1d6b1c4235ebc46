import assert from "node:assert/strict";
import { test } from "node:test";

import { sceneOf } from "../../../static/js/core/scene.js";
import { stepsOf } from "../../../static/js/core/trace.js";
import { DEFAULTS } from "../../../static/js/core/state.js";
import { axis, map, model, trace } from "../traces.js";

const scene = (made, settings = {}, card = {}) =>
  sceneOf(made, { ...DEFAULTS, ...settings }, model(card));

test("subwords are first shown as words, characters as they are", () => {
  assert.equal(scene(trace()).units, "words");
  assert.equal(scene(trace(), {}, { granularity: "characters" }).units, "subwords");
});

test("where words and tokens are the same there is nothing to choose", () => {
  const [source, target] = [axis([["a"]]), axis([["b"]], "mean")];
  const same = scene(trace({ source, target, maps: [map(source, target)] }), { units: "words" });
  assert.equal(same.mergeable, false);
  assert.equal(same.units, "words");
});

test("a step keeps its place when the units change", () => {
  assert.equal(scene(trace(), { step: 2, units: "subwords" }).row, 2);
  assert.equal(scene(trace(), { step: 2, units: "words" }).row, 1);
});

test("an address made for another trace still shows something", () => {
  const far = scene(trace(), { step: 500, pick: 9, layer: 7, head: 3, map: "decoder-self" });
  assert.equal(far.row, 2);
  assert.equal(far.pick, 0);
  assert.equal(far.picked.kind, "cross");
});

test("a runner-up brings its own maps and steps", () => {
  const other = trace({ target: axis([["2001"]], "mean") });
  other.maps = [map(other.source, other.target)];
  const picked = scene(trace({ runners_up: [other] }), { pick: 1 });
  assert.equal(picked.output.text, "2001");
  assert.equal(picked.view.rows.length, 2);
});

test("a word has the steps of its pieces", () => {
  const words = scene(trace(), { units: "words" });
  assert.deepEqual(
    stepsOf(words, 1).map((step) => step.probability),
    [0.5, 0.99],
  );
  assert.deepEqual(stepsOf(words, 99), []);
});

test("one token is enough", () => {
  const alone = {
    ...axis([["a"]]),
    tokens: [{ id: 1, text: "</s>", start: 0, end: 0, word: 0, special: true }],
    words: [{ text: "</s>", start: 0, end: 0, special: true }],
    text: "",
  };
  const made = scene(trace({ source: alone, target: alone, maps: [map(alone, alone)], steps: [] }));
  assert.equal(made.view.rows.length, 1);
  assert.equal(made.row, 0);
});

test("of several heads the one that was measured to align best is shown first", () => {
  const [source, target] = [trace().source, trace().target];
  const maps = [0, 1].flatMap((layer) =>
    [0, 1].map((head) => map(source, target, { layer, head })),
  );
  const quality = { alignment_layer0_head1: 0.9, alignment_layer1_head0: 0.5, tatoeba_bleu: 40 };
  const shown = (settings) => scene(trace({ maps }), settings, { quality }).picked;
  assert.deepEqual([shown({}).layer, shown({}).head], [0, 1]);
  assert.deepEqual([shown({ layer: 1 }).layer, shown({ layer: 1 }).head], [1, 0]);
  assert.equal(shown({ head: 0 }).head, 0);
  assert.equal(scene(trace({ maps })).picked.layer, 1);
});
