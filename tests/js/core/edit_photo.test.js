import assert from "node:assert/strict";
import { test } from "node:test";

import {
  brushedIn,
  brushedMore,
  gateAt,
  pressedIn,
  sceneOfCells,
  withBrushed,
  withCell,
  withGate,
} from "../../../static/js/core/edit_photo.js";
import {
  cellPlace,
  nameOf,
  refusalOf,
  rowPlace,
  withRowsOf,
} from "../../../static/js/core/edit_list.js";
import { DEFAULTS } from "../../../static/js/core/grid_state.js";
import { grid } from "../../../static/js/core/kinds/grid.js";
import { patches } from "../../../static/js/core/kinds/patches.js";
import { PATCH_STATE } from "../../../static/js/core/patch_state.js";
import { PATCH_MODEL, patchTrace } from "../patches.js";
import { pictureTrace } from "../picture_traces.js";
import { model } from "../traces.js";

const trace = pictureTrace();
const scene = /** @type {any} */ (
  grid.sceneOf(trace, { ...DEFAULTS }, /** @type {any} */ (model()))
);
const cells = sceneOfCells(scene);
const row = rowPlace(cells, "head", 1);
const brush = (edits, keys, weight, place = row) =>
  withBrushed(edits, place, brushedMore(brushedIn(edits, place, trace, 16), keys, weight));

test("the cells of a photo are the columns of a map", () => {
  assert.equal(cells.view.columns.length, 16);
  assert.equal(cells.view.columns[6].text, "row 2, column 3");
  assert.deepEqual(cellPlace(cells, "head", 1, 6), { queries: 1, keys: 6 });
});

test("a stroke adds its cells to those that are brushed in the row", () => {
  const once = brush([], [9, 5], 0.8);
  assert.deepEqual(once, [{ op: "set", queries: 1, keys: [5, 9], weight: 0.8 }]);
  const twice = brush(once, [9, 10], 0.6);
  assert.deepEqual(twice, [{ op: "set", queries: 1, keys: [5, 9, 10], weight: 0.6 }]);
  const other = brush(twice, [0], 0.8, rowPlace(cells, "head", 2));
  assert.deepEqual(other[0], twice[0]);
  assert.equal(other.length, 2);
});

test("attention is kept away from cells, which lose what they were brushed with", () => {
  const away = brush(brush([], [4, 5, 6, 8], 0.8), [5, 6, 7], null);
  assert.deepEqual(away, [
    { op: "block", queries: 1, keys: { first: 5, last: 7 } },
    { op: "set", queries: 1, keys: [4, 8], weight: 0.8 },
  ]);
  const [, weights] = withRowsOf(trace, away, row).maps[0].weights;
  assert.ok(Math.abs(weights[4] + weights[8] - 0.8) < 1e-9);
  assert.deepEqual(weights.slice(5, 8), [0, 0, 0]);
});

test("a press blocks a cell, and another one takes the block off", () => {
  const press = (edits, key) =>
    withBrushed(edits, row, pressedIn(brushedIn(edits, row, trace, 16), key));
  const blocked = press(press([], 3), 9);
  assert.deepEqual(blocked, [{ op: "block", queries: 1, keys: [3, 9] }]);
  assert.deepEqual(press(press(blocked, 3), 9), []);
});

test("a box of the address is brushed on by its cells", () => {
  const boxed = [{ op: "set", queries: 1, box: [0, 0, 400, 200], weight: 0.9 }];
  const [more] = brush(boxed, [2], 0.9);
  assert.deepEqual(more, { op: "set", queries: 1, keys: [0, 1, 2, 4, 5], weight: 0.9 });
});

test("the keys change the weight of a brush as a whole, and that of another cell beside it", () => {
  const change = (edits, key, weight) =>
    withCell(edits, row, brushedIn(edits, row, trace, 16), key, weight);
  const brushed = brush([], [4, 6], 0.8);
  assert.deepEqual(change(brushed, 6, 0.85), [
    { op: "set", queries: 1, keys: [4, 6], weight: 0.85 },
  ]);
  assert.deepEqual(change(brushed, 7, 0.1), [
    ...brushed,
    { op: "set", queries: 1, keys: 7, weight: 0.1 },
  ]);
  const blocked = pressedIn(brushedIn([], row, trace, 16), 7);
  assert.deepEqual(change(withBrushed([], row, blocked), 7, 0.1), [
    { op: "set", queries: 1, keys: 7, weight: 0.1 },
  ]);
});

test("the gate is that of the trace until it is set, at one step or at all", () => {
  assert.equal(gateAt(scene, [], 1, 1), 0.2);
  const one = withGate(withGate([], 1, 0.5), 1, 0);
  assert.deepEqual(one, [{ op: "gate", queries: 1, value: 0 }]);
  assert.equal(gateAt(scene, one, 1, 1), 0);
  assert.deepEqual(withGate(one, undefined, 1)[1], { op: "gate", value: 1 });
  assert.equal(gateAt({ ...scene, trace: { ...trace, task: "ask" } }, [], 1, 1), null);
});

test("an edit of many cells is named by their number", () => {
  const [few] = brush([], [1, 3], 0.8);
  const [many] = brush([], [1, 3, 5, 7], 0.8);
  assert.equal(nameOf(few, trace), "cells 2, 4 = 0.8 at step 2");
  assert.equal(nameOf(many, trace), "4 cells = 0.8 at step 2");
});

/** A photo whose patches attend to each other, in the first head of the first layer. */
const patched = (change = {}, made = patchTrace()) =>
  patches.sceneOf(made, { ...PATCH_STATE.DEFAULTS, layer: 0, head: 0, ...change }, PATCH_MODEL);

test("behind the class token, the key of a patch is one more than its cell", () => {
  const scene = sceneOfCells(patched());
  const place = rowPlace(scene, "head", 0);
  assert.deepEqual(place, { kind: "encoder-self", layers: 0, heads: 0, queries: 0 });
  const brushed = brushedIn([], place, scene.trace, 4);
  const edits = withBrushed([], place, brushedMore(brushed, [0, 3], 0.8));
  assert.deepEqual(edits, [{ op: "set", ...place, keys: [1, 4], weight: 0.8 }]);
  assert.deepEqual(brushedIn(edits, place, scene.trace, 4).keys, [0, 3]);
  assert.equal(
    nameOf(edits[0], scene.trace),
    "cells 1, 4 = 0.8 at the class token · head 1 · layer 1 · self-attention",
  );
  const block = withBrushed([], place, pressedIn(brushed, 2));
  assert.deepEqual(block[0].keys, 3);
  const boxed = brushedIn([{ op: "set", ...place, box: [0, 0, 20, 10], weight: 1 }], place, scene.trace, 4); // prettier-ignore
  assert.deepEqual(boxed.keys, [0]);
});

test("a brush over patches leaves edits of the class token as they are", () => {
  const scene = sceneOfCells(patched());
  const place = rowPlace(scene, "head", 0);
  /** @type {any[]} */
  const marks = [
    { op: "set", ...place, keys: 0, weight: 0.5 },
    { op: "block", ...place, keys: { first: 0, last: 1 } },
  ];
  const brushed = brushedIn(marks, place, scene.trace, 4);
  assert.deepEqual([brushed.keys, brushed.blocked], [[], []]);
  const painted = { op: "set", ...place, keys: 3, weight: 0.8 };
  assert.deepEqual(withBrushed(marks, place, brushedMore(brushed, [2], 0.8)), [...marks, painted]);
});

test("a rollout is edited by no brush, but heads are taken out beside it", () => {
  assert.equal(refusalOf(sceneOfCells(patched())), "");
  const rollout = { head: null, layer: null };
  assert.match(refusalOf(sceneOfCells(patched(rollout))), /made of others/);
  assert.equal(refusalOf(/** @type {any} */ (patched({ ...rollout, view: "heads" }))), "");
});

test("the photo shows what edits changed for a patch", () => {
  const [made, before] = [patchTrace(), patchTrace()];
  before.maps[0].weights[2] = [0.1, 0.1, 0.1, 0.6, 0.1];
  const scene = patched({ editing: "difference" }, { ...made, baseline: before });
  const after = made.maps[0].weights[2];
  assert.deepEqual(
    scene.difference?.[2].map((value) => value.toFixed(2)),
    [1, 2, 3, 4].map((key) => (after[key] - before.maps[0].weights[2][key]).toFixed(2)),
  );
  assert.equal(patched({ editing: "difference", head: null, layer: null }).difference, null);
  const unloaded = { ...before, maps: before.maps.map((map) => ({ ...map, weights: [] })) };
  const waiting = patched({ editing: "difference" }, { ...made, baseline: unloaded });
  assert.equal(waiting.difference, null, "weights that are not loaded are not zero");
});
