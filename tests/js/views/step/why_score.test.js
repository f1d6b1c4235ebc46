import assert from "node:assert/strict";
import { test } from "node:test";

import { grid } from "../../../../static/js/core/kinds/grid.js";
import { DEFAULTS } from "../../../../static/js/core/grid_state.js";
import { fieldsOf, splits } from "../../../../static/js/views/step/why_score.js";
import { captioner, pictureTrace } from "../../picture_traces.js";

const scene = (trace = pictureTrace()) =>
  grid.sceneOf(trace, { ...DEFAULTS, view: "step" }, captioner());

test("the score of a cell is asked for with its token and without the photo", () => {
  const { text, ...fields } = fieldsOf(scene(), 1, 5);
  assert.equal(text, undefined);
  assert.deepEqual([fields.kind, fields.layer, fields.head], ["cross", 0, 0]);
  assert.deepEqual([fields.row, fields.column], [1, 5]);
});

test("a caption's score needs its photo, one map and no edits", () => {
  assert.equal(splits(scene(), true), true);
  assert.equal(splits(scene(), false), false);
  assert.equal(splits({ ...scene(), pool: "mean" }, true), false);
  const { request, ...rest } = pictureTrace();
  const edited = { ...rest, request: { ...request, edits: [{ op: "uniform" }] } };
  assert.equal(splits({ ...scene(), trace: edited }, true), false);
  assert.equal(splits({ ...scene(), trace: { ...pictureTrace(), task: "see" } }, true), false);
});
