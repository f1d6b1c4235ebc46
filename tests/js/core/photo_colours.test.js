import assert from "node:assert/strict";
import { test } from "node:test";

import { css, painterOf, paintOf, pixelsOf } from "../../../static/js/core/photo_colours.js";

const steps = Array.from({ length: 101 }, (_, i) => i / 100);

test("heat becomes more opaque and lighter all the way, so that it can be read without colours", () => {
  const paint = paintOf("heat", 1);
  const seen = steps.map((position) => {
    const [red, green, blue, cover] = paint(position);
    return { cover, light: 0.2126 * red + 0.7152 * green + 0.0722 * blue };
  });
  for (let i = 1; i < seen.length; i++) {
    assert.ok(seen[i].cover >= seen[i - 1].cover);
    assert.ok(seen[i].light >= seen[i - 1].light - 1e-9, `at ${i}`);
  }
  assert.equal(seen[0].cover, 0);
});

test("a spotlight leaves the strongest bare and darkens the rest", () => {
  const paint = paintOf("spotlight", 0.8);
  assert.equal(paint(1)[3], 0);
  assert.equal(paint(0)[3], 0.8);
  assert.ok(paint(0.5)[3] < 0.4);
});

test("outlines cover nothing, and opacity 0 hides every style", () => {
  for (const position of steps) {
    assert.equal(paintOf("outline", 1)(position)[3], 0);
    assert.equal(paintOf("heat", 0)(position)[3], 0);
  }
});

test("a field becomes pixels, the strongest by its top", () => {
  const field = { width: 2, height: 1, values: Float64Array.from([0, 0.5]) };
  const pixels = pixelsOf(field, 0.5, paintOf("heat", 1));
  assert.equal(pixels.length, 8);
  assert.equal(pixels[3], 0);
  assert.deepEqual([...pixels.slice(4)], [255, 240, 128, 242]);
});

test("what edits changed has other colours for less than for more, and none where nothing changed", () => {
  const style = /** @type {const} */ ("spotlight");
  const scene = { style, opacity: 1, difference: [[0.5, -0.5]] };
  const field = { width: 3, height: 1, values: Float64Array.from([0.5, 0, -0.5]) };
  const pixels = pixelsOf(field, 0.5, painterOf(scene));
  assert.deepEqual([...pixels.slice(0, 3)], [255, 240, 128]);
  assert.equal(pixels[7], 0);
  assert.deepEqual([...pixels.slice(8, 11)], [225, 250, 240]);
});

test("colours are written as style sheets take them", () => {
  assert.equal(css([1.4, 2, 3, 0.5]), "rgba(1, 2, 3, 0.500)");
});
