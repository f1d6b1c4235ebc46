import assert from "node:assert/strict";
import { test } from "node:test";

import { seeFields, withHead } from "../../../../static/js/core/patch_request.js";
import { lacksVectors, patches } from "../../../../static/js/core/kinds/patches.js";
import { PATCH_STATE } from "../../../../static/js/core/patch_state.js";
import { draw as drawHeads } from "../../../../static/js/views/heads/grid_svg.js";
import { draw as drawMap } from "../../../../static/js/views/map/patch_svg.js";
import { PATCH_PARTS } from "../../../../static/js/core/step_parts.js";
import { stepOf as patchStep } from "../../../../static/js/views/step/patch_step.js";
import { draw } from "../../../../static/js/views/step/svg.js";
import { PATCH_MODEL, patchTrace } from "../../patches.js";
import { parsed, texts } from "../../xml.js";

const measure = (text, { size }) => text.length * size * 0.5;
const how = {
  measure,
  moment: null,
  model: { stepOf: patchStep },
  companions: null,
  heat: (row) => `data:${row}`,
};

/** A trace whose last layer's first head came with its vectors. */
function detailed() {
  const trace = patchTrace();
  const vector = (...summary) => ({ size: summary.length, norm: 1, summary });
  const alone = { ...trace.maps[2] };
  alone.scores = alone.weights.map((row) => row.map(Math.log));
  for (const name of ["queries", "keys", "values", "states"])
    alone[name] = [1, 2, 3, 4, 5].map((value) => vector(value, -value));
  return withHead(trace, { ...trace, maps: [alone, trace.maps[4]] });
}
const sceneOf = (change = {}, trace = detailed()) =>
  patches.sceneOf(trace, { ...PATCH_STATE.DEFAULTS, view: "step", ...change }, PATCH_MODEL);

test("a step is that of one head, part by part", () => {
  const scene = sceneOf();
  assert.equal(scene.parts, PATCH_PARTS.length);
  assert.equal(scene.pool, null);
  assert.deepEqual([scene.picked.layer, scene.picked.head], [1, 0]);
  assert.equal(patches.sceneOf(detailed(), PATCH_STATE.DEFAULTS, PATCH_MODEL).pool, "rollout");
});

test("the numbers lead from the scores to the weights, the strongest first", () => {
  const chain = patchStep(sceneOf(), 1);
  assert.deepEqual(
    chain.keys.map(({ item }) => item.text),
    ["1.2", "class token", "1.1", "2.1", "2.2"],
  );
  for (const { exponential, weight } of chain.keys)
    assert.ok(Math.abs(exponential / chain.sum - weight) < 1e-9);
  assert.deepEqual(chain.query.summary, [2, -2]);
  assert.ok(Math.abs(chain.context.summary[0] - (1 + 2 + 6 * 3 + 4 + 5) / 10) < 1e-9);
  assert.deepEqual(chain.state.summary, [2, -2]);
  assert.equal(chain.cells.length, 4);
});

test("the class is read from the class token after the last layer alone", () => {
  assert.equal(patchStep(sceneOf(), 0).alternatives.length, 1);
  assert.equal(patchStep(sceneOf(), 1).alternatives.length, 0);
  assert.equal(patchStep(sceneOf({ layer: 0 }), 0).alternatives.length, 0);
});

test("without its vectors a head still has its weights, and says what it lacks", () => {
  const scene = sceneOf({}, patchTrace());
  assert.equal(lacksVectors(scene.picked), true);
  assert.equal(lacksVectors(sceneOf().picked), false);
  const chain = patchStep(scene, 0);
  assert.equal(chain.query, null);
  assert.match(chain.textOf("query").says, /does not contain it/);
  assert.match(patchStep(sceneOf({ pool: "mean" }), 0).textOf("scores").says, /single head/);
});

test("a step whose map is not loaded has its texts, and no figure of cells", () => {
  const trace = patchTrace();
  const empty = { ...trace, maps: trace.maps.map((map) => ({ ...map, weights: [] })) };
  const chain = patchStep(sceneOf({}, empty), 0);
  for (const part of chain.parts) {
    assert.ok(chain.textOf(part).says);
    assert.ok(chain.contentsOf(part).every(({ cells }) => !cells));
  }
});

test("the vectors of another photo are refused", () => {
  const trace = patchTrace();
  const other = { ...trace.maps[2], weights: trace.maps[0].weights };
  assert.equal(withHead(trace, { ...trace, maps: [other] }), null);
  assert.deepEqual(seeFields(PATCH_MODEL, [], { layer: 1, head: 0 }), [
    ["model", "vit"],
    ["layer", "1"],
    ["head", "0"],
  ]);
});

test("step, map and heads are drawn on paper", () => {
  const step = texts(draw(sceneOf(), how).svg).join(" ");
  assert.match(step, /The query of the class token/);
  assert.match(step, /The state after the layer/);
  assert.ok(
    !texts(draw(sceneOf({ part: 0 }), how).svg)
      .join(" ")
      .includes("sheep 70"),
  );
  assert.ok(parsed(drawMap(sceneOf({ view: "map" }), how).svg).length > 3);
  const heads = drawHeads(sceneOf({ view: "heads" }), how).svg;
  assert.deepEqual(
    texts(heads).filter((text) => /^(Layer|Head)/.test(text)),
    ["Layer 1", "Head 1", "Head 2", "Layer 2", "Head 1", "Head 2"],
  );
});
