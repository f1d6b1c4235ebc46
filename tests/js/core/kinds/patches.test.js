import assert from "node:assert/strict";
import { test } from "node:test";

import { patchOf, tokenName, tokenOf } from "../../../../static/js/core/grid.js";
import { patchNote, patches } from "../../../../static/js/core/kinds/patches.js";
import { patchModelOf, seeCurl, seeFields } from "../../../../static/js/core/patch_request.js";
import { PATCH_STATE } from "../../../../static/js/core/patch_state.js";
import { PATCH_MODEL, patchTrace } from "../../patches.js";

const trace = patchTrace();
const scene = (change = {}, of = trace) =>
  patches.sceneOf(of, { ...PATCH_STATE.DEFAULTS, ...change }, PATCH_MODEL);

test("rows and columns are the class token and the patches; the photo has the patches alone", () => {
  const { rows, view, weights, row, viewName } = scene();
  assert.deepEqual(
    rows.map(({ text }) => text),
    ["class token", "1.1", "1.2", "2.1", "2.2"],
  );
  assert.equal(view.columns, rows);
  assert.equal(weights[0].length, 4);
  assert.equal(row, 0);
  assert.equal(viewName, "photo");
});

test("it opens with the rollout of all layers, which is computed once", () => {
  const { pool, picked } = scene();
  assert.equal(pool, "rollout");
  assert.equal(picked.layer, 1);
  for (const row of picked.weights)
    assert.ok(Math.abs(row.reduce((sum, value) => sum + value, 0) - 1) < 1e-9);
  assert.equal(scene({ opacity: 10 }).picked, picked);
  assert.notEqual(scene({ layer: 0 }).picked, picked);
});

test("a head is shown as it is, with its scores where there are some", () => {
  const { picked, pool, weights, scores } = scene({ layer: 0, head: 1 });
  assert.equal(pool, null);
  assert.deepEqual(picked, trace.maps[1]);
  assert.deepEqual(weights[1], [0.1, 0.6, 0.1, 0.1]);
  assert.equal(scores, null);
  const scored = patchTrace();
  scored.maps[1].scores = scored.maps[1].weights.map((row) => row.map((value) => 10 * value));
  const full = scene({ layer: 0, head: 1 }, scored);
  assert.deepEqual(full.scores[1], [1, 6, 1, 1]);
  assert.equal(
    patchNote(full, 1, 1),
    "row 1, column 2: α 0.6000, e 6.00 for the patch in row 1, column 1",
  );
});

test("settings that do not fit fall back", () => {
  assert.equal(scene({ step: 99 }).row, 4);
  assert.equal(scene({ layer: 7, head: 5 }).picked.layer, 1);
  assert.equal(scene({ view: "ribbons" }).viewName, "photo");
});

test("tokens and patches have names", () => {
  const { source } = trace;
  assert.equal(patchOf(source, 0), null);
  assert.equal(tokenOf(source, 3), 4);
  assert.equal(tokenName(source, 0), "class token");
  assert.equal(tokenName(source, 3), "patch in row 2, column 1");
  assert.equal(tokenName({ ...source, marks: ["[mark 2]"] }, 0), "mark 2");
});

test("the sentence of a token says where it looks", () => {
  assert.equal(
    patches.sentence(scene({ layer: 0, head: 1 }), 0),
    "Class token attends mostly to the upper left (0.60). To itself: 0.10.",
  );
  const even = patchTrace();
  for (const map of even.maps) map.weights = map.weights.map((row) => row.map(() => 0.2));
  assert.equal(
    patches.sentence(scene({}, even), 0),
    "Class token looks, through the layers, all over the photo. To itself: 0.40.",
  );
  assert.equal(patches.sentence(scene(), 9), "");
});

test("another photo keeps the view", () => {
  const next = PATCH_STATE.restarted({
    ...PATCH_STATE.DEFAULTS,
    step: 3,
    rows: [1],
    view: "heads",
    layer: 1,
  });
  assert.deepEqual([next.step, next.rows, next.view, next.layer], [null, [], "heads", 1]);
});

test("an address contains photo, view and map", () => {
  const query = "?sample=sheep&step=6&view=positions&layer=2&head=1";
  assert.equal(PATCH_STATE.toQuery(PATCH_STATE.fromQuery(query)), query);
});

test("the request names the model", () => {
  assert.deepEqual(seeFields(PATCH_MODEL), [["model", "vit"]]);
  assert.equal(
    seeCurl("http://here", PATCH_MODEL, "it's.jpg"),
    "curl 'http://here/api/v1/see' \\\n  --form 'image=@it'\\''s.jpg' \\\n  --form-string 'model=vit'",
  );
});

test("a model that is not installed is described by its trace", () => {
  assert.equal(patchModelOf(trace, [PATCH_MODEL]), PATCH_MODEL);
  const { layers, heads, name } = patchModelOf(trace, []);
  assert.deepEqual([layers, heads, name], [2, 2, "vit"]);
});
