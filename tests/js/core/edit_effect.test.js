import assert from "node:assert/strict";
import { test } from "node:test";

import { beforeOf, effectOf, steeringOf } from "../../../static/js/core/edit_effect.js";
import { sceneOf } from "../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../static/js/core/state.js";
import { axis, map, model, trace } from "../traces.js";

const before = axis([["une"], ["mai", "son"], ["rouge"]], "mean");
const after = axis([["une"], ["voi", "ture"], ["rouge"]], "mean");
const change = (divergence) => ({
  before: Math.log(0.9),
  after: Math.log(0.3),
  delta: Math.log(1 / 3),
  divergence,
});
const source = axis([["a"], ["red"], ["house"]]);
const baseline = {
  ...{ text: before.text, target: before, maps: [map(source, before)], steps: [], unused: [] },
  changes: [0, 2, 0.5, 0.1, 0].map(change),
  parts_at: 1,
};
const edited = trace({ source, target: after, maps: [map(source, after)], baseline });
/** @type {import("../../../static/js/core/types").Edit[]} */
const EDITS = [{ op: "block", keys: 2, queries: 1 }];

test("the words before have a bar each, and those before the first edit are kept", () => {
  const { pieces, changed } = beforeOf(edited, EDITS, "words");
  const words = pieces.filter(({ items }) => items.length);
  assert.deepEqual(
    words.map(({ text, kept, gone }) => [text, kept, gone]),
    [
      ["une", true, false],
      ["maison", false, true],
      ["rouge", false, false],
      ["</s>", false, false],
    ],
  );
  assert.deepEqual(
    words.map(({ divergence }) => divergence),
    [0, 2.5, 0.1, 0],
  );
  assert.deepEqual(
    words.map(({ height }) => height),
    [0, 1, 0.04, 0],
  );
  assert.match(words[1].title, /KL 2\.500 nats; probability 81\.0\u00a0% → 9\.0\u00a0%/);
  assert.deepEqual(changed, [false, true, false, false]);
});

test("without edits the text is its own", () => {
  const { pieces, text } = beforeOf(trace(), [], "words");
  assert.equal(text, trace().text);
  assert.ok(pieces.every(({ kept, gone, height }) => !kept && !gone && height === 0));
});

test("a sentence says which word is another, and which step moved most", () => {
  assert.equal(
    effectOf(edited),
    "At step 2, “voiture” is written instead of “maison”. Step 2 moved most: “maison” had 90.0\u00a0% and has 30.0\u00a0% after the same words (KL 2.00 nats).",
  );
  assert.equal(effectOf(trace()), "");
  const still = { ...edited, baseline: { ...baseline, parts_at: undefined, changes: [change(0)] } };
  assert.equal(effectOf(still), "The same words are written. No step moved by 0.001 nats.");
});

test("the difference to the map before ends where the texts part", () => {
  /** @type {import("../../../static/js/core/types").Settings} */
  const settings = { ...DEFAULTS, editing: "difference", units: "subwords" };
  const rows = after.tokens.map((_, row) => [0.5, row === 0 ? 0.3 : 0.5, 0, 0]);
  const moved = { ...edited, maps: [map(source, after, { weights: rows })] };
  const { difference } = sceneOf(moved, settings, model()).view;
  assert.deepEqual(
    difference.map((row) => row.map((value) => Number(value.toFixed(6)))),
    [
      [-0.5, 0.3, 0, 0],
      [0.4, -0.4, 0, 0],
      [0, 0, 0, 0],
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ],
  );
  assert.equal(sceneOf(moved, { ...settings, editing: "1" }, model()).view.difference, undefined);
});

test("a model says how often such edits worked when it was measured", () => {
  const quality = { steered_nouns: 200, steered_changed: 0.97, steered_reached: 0.715 };
  assert.equal(
    steeringOf({ quality }),
    "Of 200 nouns made to look at another, 97.0\u00a0% became another word, 71.5\u00a0% that one.",
  );
  assert.equal(steeringOf({ quality: {} }), "");
});

test("the class of a photo is said with its probability before and now", () => {
  const seen = (/** @type {string} */ text, /** @type {number} */ probability) =>
    /** @type {any} */ ({ target: { kind: "tokens", text }, steps: [{ probability }] });
  const trace = { ...seen("sheep", 0.5), task: "see", baseline: seen("sheep", 0.75) };
  assert.equal(effectOf(trace), "The class is still “sheep”: 75.0\u00a0% before, 50.0\u00a0% now.");
  assert.match(effectOf({ ...trace, baseline: seen("goat", 0.4) }), /instead of “goat” \(40\.0/);
});
