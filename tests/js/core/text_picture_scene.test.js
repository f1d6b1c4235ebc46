import assert from "node:assert/strict";
import { test } from "node:test";

import {
  textPictureScene,
  pictureShare,
  shareNote,
} from "../../../static/js/core/text_picture_scene.js";
import { sceneOf } from "../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../static/js/core/state.js";
import { draw } from "../../../static/js/views/patches/svg.js";
import { fittingView } from "../../../static/js/core/views.js";
import { model, seenTrace, trace } from "../traces.js";
import { parsed, texts } from "../xml.js";

const sceneFrom = (made, settings = {}) => sceneOf(made, { ...DEFAULTS, ...settings }, model());

test("the patches of a picture are one column of words, and a grid of their own", () => {
  const scene = sceneFrom(seenTrace());
  assert.deepEqual(
    scene.view.columns.map(({ text }) => text),
    ["see", "<image>", "boat"],
  );
  assert.deepEqual(scene.view.weights[2], [0.1, 0.6, 0.3]);
  const seen = textPictureScene(scene);
  assert.deepEqual(seen.weights[2], [0.3, 0.1, 0.1, 0.1]);
  assert.equal(seen.trace.source.rows, 2);
  assert.ok(Math.abs(pictureShare(seen, 2) - 0.6) < 1e-9);
  assert.equal(
    shareNote(seen, 2),
    "Of the attention at “boat”, 0.60 is on the picture and 0.40 on the text.",
  );
});

test("a text without a picture has no such view", () => {
  assert.equal(textPictureScene(sceneFrom(trace())), null);
  const choice = { heads: [0], layers: [0] };
  assert.equal(fittingView("tokens", "patches", { ...choice, trace: trace() }).name, "map");
  assert.equal(fittingView("tokens", "patches", { ...choice, trace: seenTrace() }).name, "patches");
});

test("the picture is drawn with the map of its row", () => {
  const scene = sceneFrom(seenTrace(), { step: 5, view: "patches" });
  const measure = (text, { size }) => text.length * size * 0.5;
  const { svg } = draw(scene, {
    measure,
    moment: null,
    companions: null,
    heat: (row) => `data:image/png;base64,${row}`,
  });
  assert.match(svg, /base64,2"/);
  assert.ok(parsed(svg).some(({ name }) => name === "image"));
  assert.match(texts(svg).join(" "), /0\.60 is on the picture/);
});
