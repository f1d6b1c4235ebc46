import assert from "node:assert/strict";
import { test } from "node:test";

import { sceneOf } from "../../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../../static/js/core/state.js";
import { knownAfter, lineOf } from "../../../../static/js/views/step/part_line.js";
import { stepOf } from "../../../../static/js/views/step/token_step.js";
import { model as toy, trace } from "../../traces.js";

const stamp = (mechanism, order) => ({ id: "toy", weights: "0".repeat(64), mechanism, order });

/** The second step of a trace, which wrote its likeliest token. */
function second(change = {}) {
  const base = trace(change);
  const steps = base.steps.map((step, index) => {
    const { id, text } = base.target.tokens[index];
    return { ...step, alternatives: [{ id, text, probability: 0.9 }] };
  });
  const made = { ...base, steps };
  const { mechanism, order } = made.model;
  /** @type {any} */
  const model = toy({ mechanism, order, heads: 1 });
  return stepOf(sceneOf(made, { ...DEFAULTS, units: "subwords", view: "step" }, model), 1);
}

test("a folded part has its name and what came of it", () => {
  const step = second();
  const { keys } = step;
  const best = keys.reduce((most, key) => (key.weight > most.weight ? key : most));
  assert.equal(lineOf(step, "weights").name, "Weights");
  assert.equal(
    lineOf(step, "weights").result,
    `${best.item.text.trim()} ${best.weight.toFixed(2)}`,
  );
  assert.match(lineOf(step, "context").result, /^\d+ numbers$/);
  assert.match(lineOf(step, "word").result, /^\S+ .*%$/);
});

test("until the last part, what is said of a step is what the part does", () => {
  const step = second();
  const said = step.parts.slice(0, -1).map((_, part) => knownAfter(step, part).says);
  assert.equal(said[1], "The query is compared with every input token.");
  assert.equal(new Set(said).size, said.length);
  const [{ text }] = step.alternatives;
  assert.ok(said.every((sentence) => !sentence.includes(text.trim())));
});

test("the weights are known from their part on", () => {
  const known = (step) => step.parts.map((_, part) => knownAfter(step, part).attended);
  assert.deepEqual(known(second()), [false, false, true, true, true, true]);
  const luong = second({ model: stamp("dot", "after") });
  assert.deepEqual(known(luong), [false, false, true, true, true]);
});

test("the new state is made of what its model has by then", () => {
  assert.match(lineOf(second(), "state").does, /context/);
  assert.doesNotMatch(lineOf(second({ model: stamp("dot", "after") }), "state").does, /context/);
});
