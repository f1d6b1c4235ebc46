import assert from "node:assert/strict";
import { test } from "node:test";

import { sentences } from "../../../../static/js/core/kinds/sentences.js";
import { story } from "../../../../static/js/pages/story/page.js";
import { hopVector, stepOf } from "../../../../static/js/views/step/hop_step.js";
import { draw as drawStep } from "../../../../static/js/views/step/svg.js";
import { draw as drawMap } from "../../../../static/js/views/map/svg.js";
import { STORY_MODEL, WEIGHTS, storyTrace } from "../../stories.js";
import { partial } from "../../traces.js";

/** @type {any} */
const scene = sentences.sceneOf(
  storyTrace(),
  { ...story.state.DEFAULTS, view: "step" },
  STORY_MODEL,
);
const measure = (text) => text.length * 6;

test("the numbers of a hop lead from scores to weights", () => {
  const { keys, sum, own } = stepOf(scene, 0);
  assert.ok(own);
  keys.forEach(({ exponential, weight }, index) => {
    assert.ok(Math.abs(exponential / sum - weight) < 1e-6);
    assert.equal(weight, WEIGHTS[0][index]);
  });
});

test("formulas have the symbols of the paper, with the number of the hop", () => {
  const of = (part, row) =>
    stepOf(scene, row)
      .textOf(part)
      .formula.map((piece) => partial(piece).symbol ?? piece)
      .join("");
  assert.equal(of("scores", 0), "eⱼ = u₁ · mⱼ");
  assert.equal(of("context", 1), "o₂ = Σⱼ αⱼ cⱼ");
  assert.equal(of("state", 0), "u₂ = ρ(R u₁ + o₁)");
  assert.deepEqual(hopVector("query", 1), ["u₁", "the question"]);
});

test("only the last hop answers", () => {
  assert.equal(stepOf(scene, 0).textOf("word").title, "The answer, if it stopped here");
  assert.equal(stepOf(scene, 1).textOf("word").title, "The answer");
});

test("map and step are drawn with the story, the question and the answer", () => {
  for (const draw of [drawMap, drawStep]) {
    const { svg } = draw(scene, {
      ...{ measure, companions: null, moment: null, heat: () => "" },
      model: { stepOf },
    });
    for (const text of ["Mary left.", "Who has it", "Zoe"]) assert.ok(svg.includes(text), text);
  }
});
