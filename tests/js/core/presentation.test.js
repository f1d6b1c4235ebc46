import assert from "node:assert/strict";
import { test } from "node:test";

import { actionOf, scaleFor } from "../../../static/js/core/presentation.js";

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
  assert.equal(actionOf("PageUp"), "back");
  assert.equal(actionOf("G"), "guess");
  assert.equal(actionOf(" "), "play");
  assert.equal(actionOf("x"), null);
  assert.equal(actionOf("Tab"), null);
});
