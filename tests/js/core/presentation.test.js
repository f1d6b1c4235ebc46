import assert from "node:assert/strict";
import { test } from "node:test";

import {
  actionOf,
  firstScale,
  largerScale,
  scaleFor,
  smallerScale,
} from "../../../static/js/core/presentation.js";

const SMALLEST_TYPE = 14;

test("the smallest type has at least 28 pixels on every screen but a phone's", () => {
  for (const [width, height] of [
    [1024, 768],
    [1280, 720],
    [1920, 1080],
    [3840, 2160],
  ])
    assert.ok(scaleFor(width, height) * SMALLEST_TYPE >= 28, `${width}`);
  assert.equal(scaleFor(390, 844), 1);
});

test("a larger screen gets a larger result", () => {
  assert.ok(scaleFor(3840, 2160) > scaleFor(1920, 1080));
});

test("arrows, presenters and letters have their meanings, and other keys none", () => {
  assert.equal(actionOf("ArrowRight"), "forward");
  assert.equal(actionOf("ArrowLeft"), "back");
  assert.equal(actionOf("PageDown"), "next");
  assert.equal(actionOf("PageUp"), "previous");
  assert.equal(actionOf("G"), "guess");
  assert.equal(actionOf(" "), "play");
  assert.equal(actionOf("x"), null);
  assert.equal(actionOf("Tab"), null);
});

test("a picture that fits is left as it is, and one that does not gets smaller until it does", () => {
  assert.equal(smallerScale(1, { wide: 1, high: 0.4 }, 0), null);
  for (const size of [
    { wide: 3, high: 1.2 },
    { wide: 0.5, high: 8 },
  ]) {
    let [scale, tries] = [1, 0];
    const taken = () => ({ wide: size.wide * scale, high: size.high * scale });
    for (let next; (next = smallerScale(scale, taken(), tries)) !== null; tries++) scale = next;
    assert.ok(Math.max(taken().wide, taken().high) <= 1);
    assert.ok(tries <= 4, `${tries}`);
  }
});

test("a picture too high is made less small than its height says, because its lines get longer", () => {
  const high = smallerScale(1, { wide: 0.9, high: 4 }, 0);
  const wide = smallerScale(1, { wide: 4, high: 0.9 }, 0);
  assert.ok(Number(high) > Number(wide));
});

test("a picture with a height of its own that leaves much of its room empty gets larger", () => {
  assert.equal(largerScale("map", 1, { wide: 1, high: 0.5 }), 1.5);
  assert.equal(largerScale("ribbons", 1, { wide: 1, high: 0.75 }), 1 / 0.75);
  assert.equal(largerScale("arcs", 1, { wide: 1, high: 0.9 }), null);
  assert.equal(largerScale("map", 1, { wide: 1.2, high: 0.5 }), null);
  assert.equal(largerScale("audit", 1, { wide: 1, high: 0.5 }), null);
});

test("only a graph of many nodes is small from the start", () => {
  assert.equal(firstScale("map", 200), 1);
  assert.equal(firstScale("graph", 4), 1);
  assert.ok(firstScale("graph", 34) < 1);
});
