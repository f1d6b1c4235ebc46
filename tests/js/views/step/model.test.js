import assert from "node:assert/strict";
import { test } from "node:test";

import { grid } from "../../../../static/js/core/kinds/grid.js";
import { DEFAULTS as PICTURE_DEFAULTS } from "../../../../static/js/core/grid_state.js";
import { sceneOf } from "../../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../../static/js/core/state.js";
import { INK } from "../../../../static/js/draw/ink.js";
import { sheetPhoto } from "../../../../static/js/draw/photo_marks.js";
import { cellMarks } from "../../../../static/js/views/step/cells.js";
import { stepOf as gridStepOf } from "../../../../static/js/views/step/grid_step.js";
import { softmaxed } from "../../../../static/js/views/step/model.js";
import { stepOf } from "../../../../static/js/views/step/token_step.js";
import { captioner, pictureTrace } from "../../picture_traces.js";
import { model, trace } from "../../traces.js";

const text = sceneOf(
  trace(),
  { ...DEFAULTS, units: "subwords", view: "step" },
  model({ mechanism: "additive", order: "before" }),
);
const picture = grid.sceneOf(
  pictureTrace(),
  { ...PICTURE_DEFAULTS, view: "step", step: 1 },
  captioner(),
);
const partsWith = (step, name) =>
  step.parts.filter((part) => step.contentsOf(part).some((content) => content[name]));

test("scores lead to weights, and a masked one to nothing", () => {
  const { numbers, sum } = softmaxed([1, null, 2], [0.27, 0, 0.73]);
  assert.deepEqual(
    numbers.map(({ shifted }) => shifted),
    [-1, null, 0],
  );
  assert.ok(Math.abs(numbers[2].exponential / sum - 0.731) < 1e-3);
  assert.deepEqual(
    softmaxed(undefined, [1]).numbers.map(({ score }) => score),
    [null],
  );
});

test("what is computed last is in no part before it", () => {
  for (const step of [stepOf(text, 1), gridStepOf(picture, 1)]) {
    assert.deepEqual(partsWith(step, "alternatives"), ["word"]);
    assert.ok(!partsWith(step, "vector").includes("scores"));
  }
  assert.deepEqual(partsWith(stepOf(text, 1), "keys"), ["scores"]);
});

test("each part has its own figure of cells, and each cell keeps its mark from step to step", () => {
  const step = gridStepOf(picture, 1);
  assert.deepEqual(partsWith(step, "cells"), ["scores", "weights", "context"]);
  const [{ cells }] = step.contentsOf("context");
  const size = { width: 100, height: 50 };
  const [photo, group] = cellMarks(picture, cells.scale, size, { look: INK, photo: sheetPhoto });
  assert.equal(photo.attributes.href, "#photo");
  assert.deepEqual(
    group.children.map(({ key }) => key),
    Array.from({ length: 16 }, (_, cell) => String(cell)),
  );
});
