import assert from "node:assert/strict";
import { test } from "node:test";

import { decodingNote, isGiven } from "../../../static/js/core/decoding.js";
import { tokens } from "../../../static/js/core/kinds/tokens.js";
import { sceneOf } from "../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../static/js/core/state.js";
import { model, trace } from "../traces.js";

const asked = (search, change = {}) =>
  trace({ request: { text: "", target: null, search, detail: "steps" }, ...change });
const sample = { kind: "sample", beam: 1, seed: 7, temperature: 0.8, length_penalty: 1 };

test("a sampled output is named as one, with what is needed to repeat it", () => {
  const made = asked(sample);
  assert.equal(decodingNote(made, made), "Sampled at random: temperature 0.8, seed 7");
});

test("the hypotheses of a beam are told apart", () => {
  const [first, second] = [trace(), trace()];
  const made = asked({ ...sample, kind: "beam", beam: 3 }, { runners_up: [first, second] });
  assert.equal(decodingNote(made, made), "Beam search, width 3: the best hypothesis");
  assert.equal(decodingNote(made, second), "Beam search, width 3: runner-up 2");
});

test("greedy decoding, given outputs and imported traces have no note", () => {
  const greedy = asked({ ...sample, kind: "greedy" });
  assert.equal(decodingNote(greedy, greedy), "");
  const given = asked(sample, { finish: "forced" });
  assert.equal(decodingNote(given, given), "");
  const imported = trace({ request: { text: "", target: null } });
  assert.equal(decodingNote(imported, imported), "");
});

test("a given output is not written by the model, not even while it grows", () => {
  const growing = trace({
    finish: "writing",
    request: { text: "", target: "1979", search: sample },
  });
  assert.ok(isGiven(growing, growing));
  assert.match(
    tokens.sentence(sceneOf(growing, DEFAULTS, model()), 0),
    /^Step 1 of \d: given “1979”/,
  );
  const own = trace({ finish: "writing", request: { text: "", target: null, search: sample } });
  assert.ok(!isGiven(own, own));
  assert.match(tokens.sentence(sceneOf(own, DEFAULTS, model()), 0), /: wrote “1979”/);
});
