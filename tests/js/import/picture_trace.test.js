import assert from "node:assert/strict";
import { test } from "node:test";

import { imported } from "../../../static/js/import/trace_file.js";
import { readPictureTrace } from "../../../static/js/import/picture_trace.js";
import { isTrace } from "../../../static/js/shell/samples.js";
import { grid } from "../../../static/js/core/kinds/grid.js";
import { DEFAULTS } from "../../../static/js/core/grid_state.js";
import { trace as textTrace } from "../traces.js";
import { captioner, pictureTrace } from "../picture_traces.js";

const bytes = (value) => new TextEncoder().encode(JSON.stringify(value));
const asked = { text: "", target: null, search: { kind: "greedy" }, detail: "steps" };
const saved = (change = {}) => pictureTrace({ schema: "heed.trace/2", request: asked, ...change });
const refused = (change, why) =>
  assert.throws(() => readPictureTrace(bytes(saved(change))), { message: why });

test("a saved trace of a picture is what it was", () => {
  const trace = readPictureTrace(bytes(saved()));
  assert.deepEqual(
    { ...trace, timing: null, runners_up: null },
    { ...saved(), timing: null, runners_up: null },
  );
  assert.ok(grid.sceneOf(trace, DEFAULTS, captioner()).rows.length > 1);
});

test("an incomplete trace is refused with a reason", () => {
  const { maps, steps, picture, source } = saved();
  refused({ maps: [{ ...maps[0], weights: maps[0].weights.slice(1) }] }, /rows of weights for/);
  refused({ maps: [{ ...maps[0], key: "target" }] }, /does not name its axes/);
  refused({ steps: steps.slice(1) }, /steps for/);
  refused(
    { picture: { ...picture, preview: "https://elsewhere.example/photo.jpg" } },
    /does not contain its photo/,
  );
  refused({ source: { ...source, rows: 0 } }, /which part of its picture/);
  refused({ source: { ...source, rows: 400, columns: 400 } }, /at most 4096/);
  refused({ target: null }, /no target/);
  refused({ model: {} }, /its kind of model/);
  assert.throws(() => readPictureTrace(new TextEncoder().encode("no json")), /not JSON/);
});

test("a trace says on which page it belongs", async () => {
  assert.throws(
    () => readPictureTrace(bytes({ ...textTrace(), schema: "heed.trace/2" })),
    /Text page/,
  );
  await assert.rejects(imported(bytes(saved())), /Pictures page/);
});

test("a file is a photo unless it says that it is JSON", () => {
  assert.ok(isTrace({ name: "heed-soft.json", type: "" }));
  assert.ok(isTrace({ name: "trace", type: "application/json" }));
  assert.ok(!isTrace({ name: "photo.jpg", type: "image/jpeg" }));
});
