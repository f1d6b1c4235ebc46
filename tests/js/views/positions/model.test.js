import assert from "node:assert/strict";
import { test } from "node:test";

import { LIGHT, divergent } from "../../../../static/js/core/colours.js";
import { patches } from "../../../../static/js/core/kinds/patches.js";
import { PATCH_STATE } from "../../../../static/js/core/patch_state.js";
import { GAP, likenessOf, overview } from "../../../../static/js/views/positions/model.js";
import { draw } from "../../../../static/js/views/positions/svg.js";
import { draw as drawPhoto } from "../../../../static/js/views/photo/patch_svg.js";
import { PATCH_MODEL, patchTrace } from "../../patches.js";
import { partial } from "../../traces.js";

/** @type {any} */
const scene = patches.sceneOf(
  patchTrace(),
  { ...PATCH_STATE.DEFAULTS, step: 2, layer: 0, head: 0 },
  PATCH_MODEL,
);
/** @returns {any} */
const measure = (text) => 6 * text.length;

test("the likeness to a patch leaves the class token out", () => {
  assert.deepEqual(likenessOf(scene, 2), [-0.5, 1, -0.5, -0.5]);
  assert.deepEqual(likenessOf(partial({ trace: patchTrace({ positions: undefined }) }), 2), []);
});

test("the overview has a square for each patch, at its place", () => {
  const { rows, columns, colourAt } = overview(scene, LIGHT);
  assert.deepEqual({ rows, columns }, { rows: 4 + GAP, columns: 4 + GAP });
  assert.equal(colourAt(0, 0), divergent(LIGHT, 1));
  assert.equal(colourAt(0, 1), divergent(LIGHT, -0.5));
  assert.equal(colourAt(2, 0), LIGHT.line);
  assert.equal(colourAt(4, 4), divergent(LIGHT, 1));
});

test("both drawings are valid and say what they show", () => {
  /** @type {any} */
  const positions = draw(scene, { measure, companions: null, moment: null, heat: () => "" });
  assert.match(positions.svg, /Cosine between the positional embeddings/);
  const photo = drawPhoto(scene, { measure, companions: null, moment: null, heat: () => "data:," });
  assert.match(photo.svg, /Patch in row 1, column 2 attends/);
  assert.match(photo.svg, /#7fe3ea/);
  /** @type {any} */
  const token = drawPhoto(
    { ...scene, row: 0 },
    partial({ measure, moment: null, heat: () => "data:," }),
  );
  assert.doesNotMatch(token.svg, /#7fe3ea/);
});
