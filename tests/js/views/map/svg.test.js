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

test("numbers that do not fit are left out, and so are those of rows to come", () => {
  const words = Array.from({ length: 60 }, () => ["word"]);
  const source = axis(words);
  const target = axis([["x"]], "mean");
  const wide = trace({ source, target, maps: [map(source, target)] });
  assert.ok(numbersOf(wide).numbers.length <= 1);
  const [first, all] = [numbersOf(trace(), { row: 0, current: 0 }), numbersOf(trace())];
  assert.ok(first.numbers.length > 1);
  assert.ok(first.numbers.length < all.numbers.length);
});

test("a figure has the header, the numbers, the colours and the width that were chosen", () => {
  const drawn = (/** @type {object} */ paper) => {
    const choices = { header: true, numbers: true, colours: "blue", millimetres: null, ...paper };
    const scene = sceneOf(trace(), { ...DEFAULTS, units: "subwords" }, model());
    return draw(partial({ ...scene, paper: choices }), partial({ measure }));
  };
  const usual = drawn({});
  assert.ok(drawn({ header: false }).height < usual.height - 40);
  assert.ok([...drawn({ numbers: false }).svg.matchAll(NUMBER)].length <= 1);
  assert.notEqual(drawn({ colours: "grey" }).svg, usual.svg);
  const wide = drawn({ millimetres: 85 });
  assert.match(wide.svg, /<svg[^>]* width="85mm"/);
  assert.ok(Math.abs((wide.width * (wide.print ?? 1)) / 96 - 85 / 25.4) < 0.01);
});
