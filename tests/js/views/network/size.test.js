import assert from "node:assert/strict";
import { test } from "node:test";

import { grid } from "../../../../static/js/core/kinds/grid.js";
import { DEFAULTS as PICTURE_DEFAULTS } from "../../../../static/js/core/grid_state.js";
import { sceneOf } from "../../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../../static/js/core/state.js";
import { INK } from "../../../../static/js/draw/ink.js";
import { drawNetwork } from "../../../../static/js/views/network/draw.js";
import { networkOf } from "../../../../static/js/views/network/model.js";
import { scaled, sizeFor } from "../../../../static/js/views/network/size.js";
import { stepOf } from "../../../../static/js/views/step/token_step.js";
import { stepOf as pictureStepOf } from "../../../../static/js/views/step/grid_step.js";
import { captioner, map as overCells, pictureTrace } from "../../picture_traces.js";
import { axis, map, model, trace } from "../../traces.js";

/** @returns {any} */
const measure = (text, { size }) => Array.from(text).length * size * 0.5;
const HOW = { measure, look: INK, part: Infinity, playing: false };
const WORDS = ["I", "do", "not", "know", "where", "she", "lives", "."].map((word) => [word]);

/** The network of a model with three layers. @param {any} [settings] @param {string[][]} [words] */
function transformer(settings, words = WORDS) {
  const [source, target] = [axis(words), axis(words, "mean")];
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

/** The network of a captioner that writes so many words, with the layers of a decoder or without. @param {number} count @param {boolean} layered */
function photo(count, layered) {
  const target = axis(
    Array.from({ length: count }, (_, word) => [`word${word}`]),
    "mean",
  );
  const cells = target.tokens.map(() => 5);
  const own = { kind: "decoder-self", query: "target", key: "decoder_input" };
  const maps = layered
    ? [0, 1].flatMap((layer) => [
        overCells(cells, { layer }),
        map(target, target, { ...own, layer }),
      ])
    : [overCells(cells)];
  const family = layered ? "transformer-captioner" : "recurrent-captioner";
  const scene = grid.sceneOf(
    pictureTrace({ target, maps }),
    { ...PICTURE_DEFAULTS, view: "network" },
    captioner({ family }),
  );
  return networkOf(scene, 2, pictureStepOf(scene, 2));
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

test("a phone has them one below the other, with type of 11 pixels", () => {
  for (const { small, high } of [
    { small: false, high: 500 },
    { small: true, high: 290 },
  ]) {
    const how = { ...HOW, room: 358, small };
    const { scale, ...layout } = sizeFor(transformer(), how, high);
    const picture = drawNetwork(transformer(), scaled({ ...how, ...layout }, scale));
    assert.ok(!layout.aside && picture.height * scale <= high + 1);
    assert.ok(Math.min(...sizes(picture).filter((size) => size > 0)) * scale > 10.99);
  }
});

test("sentences too long for encoder and decoder side by side are whole in 1230 × 440", () => {
  const network = transformer(
    { map: "cross", layer: 1 },
    Array.from({ length: 60 }, (_, word) => [`w${word}`]),
  );
  const how = { ...HOW, room: 1230 };
  const { scale, ...layout } = sizeFor(network, how, 440);
  const picture = drawNetwork(network, scaled({ ...how, ...layout }, scale));
  assert.ok(picture.width * scale <= 1231 && picture.height * scale <= 441);
});

// The rooms of Step at 1280 × 720 and on a phone.
for (const [room, high] of [
  [700, 350],
  [358, 337],
])
  test(`the text of a captioner in ${room} × ${high} has at least 11 pixels`, () => {
    for (const network of [photo(4, false), photo(16, false), photo(16, true)]) {
      const how = { ...HOW, room, small: true };
      const { scale, ...layout } = sizeFor(network, how, high);
      const picture = drawNetwork(network, scaled({ ...how, ...layout }, scale));
      assert.ok(picture.width * scale <= room + 1 && picture.height * scale <= high + 1);
      const least = Math.min(...sizes(picture).filter((size) => size > 0)) * scale;
      assert.ok(least > 10.99, `${least}`);
    }
  });
