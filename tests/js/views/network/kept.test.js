import assert from "node:assert/strict";
import { test } from "node:test";

import { sceneOf } from "../../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../../static/js/core/state.js";
import { drawNetwork } from "../../../../static/js/views/network/draw.js";
import { Kept } from "../../../../static/js/draw/kept.js";
import { networkOf } from "../../../../static/js/views/network/model.js";
import { stepOf } from "../../../../static/js/views/step/token_step.js";
import { INK } from "../../../../static/js/draw/ink.js";
import { model, trace } from "../../traces.js";

const measure = (text, { size }) => Array.from(text).length * size * 0.5;
const HOW = { room: 900, measure, look: INK, part: Infinity, playing: false };

const flat = (marks) => marks.flatMap((mark) => [mark, ...flat(mark.children ?? [])]);

test("the same facts give the same marks, and others give new ones", () => {
  const kept = new Kept();
  const made = (x) => kept.get("a", [x, 2], () => ({ x }));
  const first = made(1);
  assert.equal(made(1), first);
  assert.deepEqual(made(3), { x: 3 });
  kept.forget();
  assert.notEqual(made(3), first);
});

test("another step has the marks of the encoder again, and draws the same as without them", () => {
  const made = trace();
  const scene = sceneOf(
    made,
    { ...DEFAULTS, view: "network" },
    model({ family: "recurrent", weights: made.model.weights }),
  );
  const kept = new Kept();
  const keep = (key, facts, make) => kept.get(key, facts, make);
  const draw = (row, how = {}) =>
    drawNetwork(networkOf(scene, row, stepOf(scene, row)), { ...HOW, ...how }).marks;
  const before = new Set(flat(draw(0, { keep })));
  const after = draw(1, { keep });
  assert.ok(flat(after).some((mark) => before.has(mark)));
  assert.deepEqual(JSON.parse(JSON.stringify(after)), JSON.parse(JSON.stringify(draw(1))));
});
