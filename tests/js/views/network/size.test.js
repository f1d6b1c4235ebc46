import assert from "node:assert/strict";
import { test } from "node:test";

import { sceneOf } from "../../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../../static/js/core/state.js";
import { INK } from "../../../../static/js/draw/ink.js";
import { drawNetwork } from "../../../../static/js/views/network/draw.js";
import { networkOf } from "../../../../static/js/views/network/model.js";
import { sizeFor } from "../../../../static/js/views/network/size.js";
import { stepOf } from "../../../../static/js/views/step/token_step.js";
import { axis, map, model, trace } from "../../traces.js";

/** @returns {any} */
const measure = (text, { size }) => Array.from(text).length * size * 0.5;
const HOW = { measure, look: INK, part: Infinity, playing: false };
const WORDS = ["I", "do", "not", "know", "where", "she", "lives", "."].map((word) => [word]);

/** The network of a model with three layers. @param {any} [settings] */
function transformer(settings) {
  const [source, target] = [axis(WORDS), axis(WORDS, "mean")];
  const own = { kind: "decoder-self", query: "target", key: "decoder_input" };
  const reads = { kind: "encoder-self", query: "source", key: "source" };
  const maps = [0, 1, 2].flatMap((layer) => [
    map(source, target, { layer }),
    map(source, target, { ...own, layer }),
    map(source, source, { ...reads, layer }),
  ]);
  const stamp = { id: "toy", weights: "0".repeat(64), mechanism: "multihead", order: "after" };
  const made = trace({ source, target, maps, model: stamp });
  const card = model({ family: "transformer", weights: stamp.weights });
  const scene = sceneOf(made, { ...DEFAULTS, view: "network", ...settings }, card);
  return networkOf(scene, 3, stepOf(scene, 3));
}

const flat = (marks) => marks.flatMap((mark) => [mark, ...flat(mark.children ?? [])]);
const sizes = ({ marks }) =>
  flat(marks).flatMap(({ attributes }) => Number(attributes["font-size"] ?? NaN));

// The rooms of Network and of Step at 1280 × 720.
for (const { room, high, small } of [
  { room: 1230, high: 420, small: false },
  { room: 700, high: 350, small: true },
])
  test(`encoder and decoder side by side fit ${room} × ${high} with type of 12 pixels`, () => {
    for (const kind of ["cross", "decoder-self"]) {
      const network = transformer({ map: kind, layer: 1 });
      const how = { ...HOW, room, small };
      const { scale, ...layout } = sizeFor(network, how, high);
      assert.deepEqual([scale, layout.aside], [1, true]);
      const picture = drawNetwork(network, { ...how, ...layout });
      assert.ok(picture.width <= room && picture.height <= high);
      assert.ok(Math.min(...sizes(picture).filter((size) => size > 0)) >= 12);
    }
  });

test("a phone has them one below the other", () => {
  const { aside, compact } = sizeFor(transformer(), { ...HOW, room: 358 }, 500);
  assert.deepEqual([aside, compact], [false, false]);
});
