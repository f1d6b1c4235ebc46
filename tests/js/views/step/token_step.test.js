import assert from "node:assert/strict";
import { test } from "node:test";

import { partsOf } from "../../../../static/js/core/step_parts.js";
import { stepOf } from "../../../../static/js/views/step/token_step.js";
import { sceneOf } from "../../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../../static/js/core/state.js";
import { model as toy, trace, partial } from "../../traces.js";

const stamp = (mechanism, order) => ({ id: "toy", weights: "0".repeat(64), mechanism, order });
const shown = (change = {}, settings = {}) => {
  const made = trace(change);
  const { mechanism, order } = made.model;
  /** @type {any} */
  const model = toy({ mechanism, order, heads: 4 });
  return {
    model,
    scene: sceneOf(made, { ...DEFAULTS, units: "subwords", view: "step", ...settings }, model),
  };
};
const text = (pieces) =>
  pieces.map((piece) => (typeof piece === "string" ? piece : piece.symbol)).join("");

test("a step is shown in words unless pieces are wanted, and with all parts at first", () => {
  const { scene } = shown({}, { units: null });
  assert.equal(scene.units, "words");
  assert.equal(scene.mergeable, true);
  assert.deepEqual([scene.parts, scene.part], [6, 5]);
  assert.equal(shown({}, { units: "subwords" }).scene.rows.length, 4);
  assert.equal(shown({}, { part: 2 }).scene.part, 2);
  assert.equal(shown({}, { part: 99 }).scene.part, 5);
  assert.equal(sceneOf(trace(), { ...DEFAULTS, part: 2 }, toy()).parts, 1);
});

test("each order of attention has its own order of parts", () => {
  assert.ok(partsOf("before").indexOf("scores") < partsOf("before").indexOf("state"));
  assert.ok(partsOf("after").indexOf("state") < partsOf("after").indexOf("scores"));
  assert.ok(!partsOf("fixed").includes("scores"));
});

test("the numbers of a step lead from the scores to the weights", () => {
  /** @type {any} */
  const scores = [[2, 1, -1, 0, 0, 0]];
  const exponentials = scores[0].map((score) => Math.exp(score - 2));
  const sum = exponentials.reduce((total, value) => total + value, 0);
  const one = trace();
  const made = {
    ...one.maps[0],
    scores: one.maps[0].scores.map(() => scores[0]),
    weights: one.maps[0].weights.map(() => exponentials.map((value) => value / sum)),
  };
  const chain = stepOf(shown({ maps: [made] }).scene, 1);
  assert.equal(chain.keys[0].shifted, 0);
  assert.equal(chain.keys[2].shifted, -3);
  for (const key of chain.keys)
    assert.ok(Math.abs(key.exponential / chain.sum - key.weight) < 1e-12);
});

test("a word in several pieces is shown by the numbers of one, the first or the one asked for", () => {
  const steps = trace().steps.map((each, index) => ({
    ...each,
    state: { ...each.state, norm: index },
  }));
  const at = (step) => shown({ steps }, { units: "words", step }).scene;
  assert.deepEqual(
    [at(0).pieces, at(2).pieces],
    [
      [0, 1, 3],
      [0, 2, 3],
    ],
  );
  for (const step of [1, 2]) {
    const scene = at(step);
    const chain = stepOf(scene, 1);
    const { weights } = scene.picked;
    assert.equal(scene.row, 1);
    assert.deepEqual(
      chain.keys.map(({ weight }) => weight),
      [[0], [1, 2], [3], [4], [5]].map((tokens) =>
        tokens.reduce((sum, token) => sum + weights[step][token], 0),
      ),
    );
    assert.equal(chain.written, scene.output.target.tokens[step].id);
    assert.equal(chain.before.norm, step - 1);
    assert.equal(chain.fed, ["", "1979", "0"][step]);
  }
});

test("the scores of whole words lead to their weights, too", () => {
  const one = trace().maps[0];
  const scores = one.scores.map((row) => row.map((_, column) => column / 2));
  const weights = scores.map((row) => {
    const sum = row.reduce((total, value) => total + Math.exp(value), 0);
    return row.map((value) => Math.exp(value) / sum);
  });
  const { scene } = shown({ maps: [{ ...one, scores, weights }] }, { units: "words" });
  const { keys, sum } = stepOf(scene, 0);
  assert.equal(keys.length, 5);
  for (const { exponential, weight } of keys)
    assert.ok(Math.abs(exponential / sum - weight) < 1e-12);
});

test("the vector of a word is the mean of those of its pieces", () => {
  const memory = trace().source.tokens.map((_, index) => ({
    size: 2,
    norm: 1,
    summary: [index, 1],
    values: null,
  }));
  const { keys } = stepOf(shown({ memory }, { units: "words" }).scene, 0);
  assert.deepEqual(
    keys.map(({ memory: vector }) => vector.summary[0]),
    [0, 1.5, 3, 4, 5],
  );
});

test("a step has the token and the state before it", () => {
  const { scene } = shown();
  assert.deepEqual([stepOf(scene, 0).fed, stepOf(scene, 0).before], ["", null]);
  assert.equal(stepOf(scene, 1).fed, scene.view.rows[0].text);
  assert.ok(stepOf(scene, 1).before);
  assert.equal(stepOf(scene, 1).written, scene.output.target.tokens[1].id);
});

test("a key has its encoder state if the trace has it", () => {
  assert.equal(stepOf(shown().scene, 0).keys[0].memory, null);
  const vector = { size: 4, norm: 1, summary: [1, 0, 0, 0], values: null };
  const memory = trace().source.tokens.map(() => vector);
  assert.equal(stepOf(shown({ memory }).scene, 0).keys[0].memory, vector);
});

test("a masked key has no score and no weight", () => {
  const one = trace().maps[0];
  /** @type {any} */
  const scores = one.scores.map((row) => row.map((value, column) => (column === 0 ? null : value)));
  const chain = stepOf(shown({ maps: [{ ...one, scores }] }).scene, 0);
  assert.deepEqual([chain.keys[0].score, chain.keys[0].exponential], [null, null]);
  assert.ok(Number.isFinite(chain.sum));
});

test("every mechanism has its own formula, and every part has one", () => {
  const seen = new Set();
  for (const [mechanism, order] of [
    ["additive", "before"],
    ["concat", "after"],
    ["dot", "after"],
    ["general", "after"],
    ["scaled", "after"],
    ["multihead", "after"],
    ["none", "fixed"],
  ]) {
    const { scene } = shown({
      model: stamp(mechanism, order),
      ...(mechanism === "none" && { maps: [] }),
    });
    const chain = stepOf(scene, 1);
    for (const part of partsOf(partial(order)))
      assert.ok(text(chain.textOf(part).formula).length > 1, `${mechanism} ${part}`);
    if (order !== "fixed") seen.add(text(chain.textOf("scores").formula));
  }
  assert.equal(seen.size, 6);
});

test("a mechanism that the page does not know has the formula that the server gives", () => {
  const { scene, model } = shown({ model: stamp("cosine", "after") });
  /** @type {any} */
  const given = { ...model, formula: "cos(q, k)", paper: "Graves et al. 2014, equation 6" };
  /** @returns {any} */
  const scores = (of) => stepOf({ ...scene, model: of }, 1).textOf("scores").formula;
  assert.equal(text(scores(given)), "eⱼ = cos(q, k)");
  assert.ok(scores(given).some(({ meaning }) => meaning?.includes("Graves et al. 2014")));
  assert.equal(text(scores(model)), "eⱼ = score(sₜ, hⱼ)");
  const known = { ...given, mechanism: "dot" };
  assert.equal(text(scores(known)), "eⱼ = sₜ · hⱼ");
});

test("if the query contains the last output token, the formula shows it", () => {
  const step = (query) =>
    trace().steps.map((each) => ({ ...each, query: { ...each.query, size: query } }));
  /** @returns {any} */
  const of = (query) => {
    const { scene } = shown({ steps: step(query) });
    return text(stepOf(scene, 1).textOf("scores").formula);
  };
  assert.ok(of(6).includes("[sₜ₋₁; yₜ₋₁]"));
  assert.ok(!of(4).includes("yₜ₋₁"));
});

test("input feeding is in the formula, the chain and the text", () => {
  const { scene } = shown({ model: { ...trace().model, mechanism: "dot", order: "after" } });
  /** @returns {any} */
  const of = (part, row, model) => text(stepOf({ ...scene, model }, row).textOf(part).formula);
  /** @type {any} */
  const model = { ...scene.model, mechanism: "dot", order: "after" };
  /** @type {any} */
  const fed = { ...model, input_feeding: true };
  assert.equal(of("state", 1, fed), "sₜ = GRU(sₜ₋₁, [yₜ₋₁; h̃ₜ₋₁])");
  assert.equal(of("state", 1, model), "sₜ = GRU(sₜ₋₁, yₜ₋₁)");
  assert.ok(of("word", 1, fed).startsWith("h̃ₜ = tanh("));
  /** @returns {any} */
  const meaning = (row) =>
    partial(stepOf({ ...scene, model: fed }, row).textOf("state").formula).find(
      ({ symbol }) => symbol === "h̃ₜ₋₁",
    ).meaning;
  assert.match(meaning(0), /zeros/);
  assert.match(meaning(1), /the step before/);
  assert.match(stepOf({ ...scene, model: fed }, 1).textOf("state").says, /input feeding/);
  assert.equal(stepOf({ ...scene, model }, 1).textOf("state").says, "");
});

test("self-attention of the encoder has no steps", () => {
  const { source, target } = trace();
  const own = { ...trace().maps[0], kind: "encoder-self", query: "source", key: "source" };
  own.weights = source.tokens.map((_, i) => source.tokens.map((_, j) => Number(i === j)));
  own.scores = own.weights;
  assert.equal(shown({ source, target, maps: [own] }, { map: "encoder-self" }).scene.parts, 1);
});
