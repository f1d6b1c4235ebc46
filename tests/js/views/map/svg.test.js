import assert from "node:assert/strict";
import { test } from "node:test";

import { sceneOf } from "../../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../../static/js/core/state.js";
import { draw } from "../../../../static/js/views/map/svg.js";
import { axis, map, model, trace, partial } from "../../traces.js";

/** @returns {any} */
const measure = (text, { size }) => text.length * size * 0.6;
const NUMBER = />(\d\.\d\d)<\/text>/g;

function numbersOf(made, moment = null) {
  /** @type {any} */
  const scene = sceneOf(made, { ...DEFAULTS, units: "subwords" }, model());
  const { svg } = draw(scene, partial({ measure, moment }));
  const bar = Math.max(...scene.view.weights.flat()).toFixed(2);
  const numbers = [...svg.matchAll(NUMBER)].map(([, number]) => number);
  return { numbers, weights: scene.view.weights, bar };
}

test("the cells have the numbers of the trace", () => {
  const { numbers, weights, bar } = numbersOf(trace());
  const shown = weights.flat().filter((weight) => weight >= 0.005);
  assert.deepEqual(numbers.toSorted(), [...shown.map((each) => each.toFixed(2)), bar].toSorted());
});

test("the drawing says what its rows and columns are", () => {
  for (const units of /** @type {const} */ (["words", "subwords"])) {
    const scene = sceneOf(trace(), { ...DEFAULTS, units }, model());
    assert.match(draw(scene, partial({ measure })).svg, new RegExp(` ${scene.units}</text>`));
  }
});

test("numbers that do not fit are left out, and so are those of an animation", () => {
  const words = Array.from({ length: 60 }, () => ["word"]);
  const source = axis(words);
  const target = axis([["x"]], "mean");
  const wide = trace({ source, target, maps: [map(source, target)] });
  assert.ok(numbersOf(wide).numbers.length <= 1);
  assert.ok(numbersOf(trace(), { row: 1, current: 1 }).numbers.length <= 1);
});
