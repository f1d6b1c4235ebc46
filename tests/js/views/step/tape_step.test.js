import assert from "node:assert/strict";
import { test } from "node:test";

import { reading } from "../../../../static/js/core/kinds/reading.js";
import { sceneOf } from "../../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../../static/js/core/state.js";
import { TAPE_PARTS } from "../../../../static/js/core/step_parts.js";
import { stepOf } from "../../../../static/js/views/step/tape_step.js";
import { draw } from "../../../../static/js/views/step/svg.js";
import { READER, readingTrace } from "../../readings.js";
import { texts } from "../../xml.js";
import { partial } from "../../traces.js";

/** @type {any} */
const how = {
  measure: (text, { size }) => text.length * size * 0.5,
  moment: null,
  model: { stepOf },
};
const read = (change = {}) =>
  sceneOf(readingTrace(change), { ...DEFAULTS, view: "step" }, READER, reading);
const written = (part, chain) =>
  chain
    .textOf(part)
    .formula.map((piece) => partial(piece).symbol ?? piece)
    .join("");

/** The vectors in the parts of a step. */
const vectorsOf = (chain) => (part) => chain.contentsOf(part).map(({ vector }) => vector);

test("the numbers of a word lead from its scores to its weights", () => {
  const scene = read();
  assert.equal(scene.parts, TAPE_PARTS.length);
  const { keys, sum, own } = stepOf(scene, 2);
  assert.equal(own, true);
  for (const { exponential, weight } of keys.slice(0, 3))
    assert.ok(Math.abs(exponential / sum - weight) < 1e-4);
  assert.deepEqual(
    keys.map(({ later }) => later),
    [false, false, false, true],
  );
  assert.deepEqual(keys[1].key.summary, [0, 2]);
  assert.deepEqual(keys[1].value.summary, [2, 2, 1]);
});

test("the word before is read with its gates, and both sums follow", () => {
  const chain = stepOf(read(), 1);
  const fed = (of) => partial(of.textOf("query").formula[4]).meaning;
  assert.equal(fed(chain), "the embedding of “keys”");
  assert.equal(fed(stepOf(read(), 0)), "the embedding of the start token");
  const [state, context] = ["state", "context"].map(vectorsOf(chain));
  assert.deepEqual(
    state.map(({ symbol }) => symbol),
    ["h", "c", "i", "f", "o"],
  );
  assert.deepEqual(context[1].value.summary, [2, 2, 2]);
});

test("every part has a text and a formula", () => {
  const chain = stepOf(read(), 1);
  for (const part of TAPE_PARTS) assert.ok(chain.textOf(part).title);
  assert.equal(written("state", chain), "c = f c̃ₜ₋₁ + i ĉ, h = o tanh(c)");
  assert.equal(written("scores", chain), "eⱼ = v · tanh(kⱼ + q)");
  assert.equal(written("context", chain), "h̃ = Σⱼ αⱼ hⱼ, c̃ = Σⱼ αⱼ cⱼ");
});

test("a trace of before, without cells and keys, still has its steps", () => {
  const { maps, steps } = readingTrace();
  const [{ queries, keys, values, ...bare }] = maps;
  const old = steps.map(({ query, context, state, probability, surprise, alternatives }) => ({
    ...{ query, context, state, probability, surprise, alternatives },
  }));
  const chain = stepOf(read({ maps: [bare], steps: old }), 1);
  assert.equal(chain.own, false);
  assert.deepEqual(
    ["state", "context"].map((part) => vectorsOf(chain)(part).length),
    [1, 1],
  );
});

test("the step is drawn on paper with all its vectors", () => {
  const drawn = texts(draw(read(), how).svg).join(" ");
  for (const text of ["c̃", "how much is kept", "The weighted sums"])
    assert.ok(drawn.includes(text), text);
});
