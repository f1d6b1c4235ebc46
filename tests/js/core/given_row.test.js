import assert from "node:assert/strict";
import { test } from "node:test";

import {
  givenRefusal,
  givenWeights,
  withRow,
  withoutRows,
} from "../../../static/js/core/given_row.js";
import { sceneOfCells } from "../../../static/js/core/edit_photo.js";
import { DEFAULTS as PHOTO_DEFAULTS } from "../../../static/js/core/grid_state.js";
import { grid } from "../../../static/js/core/kinds/grid.js";
import { sceneOf } from "../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../static/js/core/state.js";
import { pictureTrace } from "../picture_traces.js";
import { axis, map, model, trace } from "../traces.js";

const source = axis([["the"], ["th", "ird"], ["of"]]);
const target = axis([["1979"], ["0", "5"]], "mean", "-");
const scene = (made, change = {}) =>
  /** @type {any} */ (sceneOf(made, { ...DEFAULTS, ...change }, model()));

test("a word in several pieces gives the mean of their rows, with a weight for each piece that is read", () => {
  const weights = [
    [1, 0, 0, 0, 0],
    [0, 0.5, 0.5, 0, 0],
    [0, 0, 0.25, 0.75, 0],
    [0, 0, 0, 0, 1],
  ];
  const given = scene(trace({ source, target, maps: [map(source, target, { weights })] }));
  assert.deepEqual(givenWeights({ scene: given, row: 1 }), [0, 0.25, 0.375, 0.375, 0]);
  assert.deepEqual(givenWeights({ scene: given, row: 0 }), [1, 0, 0, 0, 0]);
});

test("a weight has three digits, and stays above 0", () => {
  const rows = Array.from({ length: 4 }, () => [0.123456, 1.2345e-7, 0.876543, 0, 0]);
  const given = scene(trace({ source, target, maps: [map(source, target, { weights: rows })] }));
  assert.deepEqual(givenWeights({ scene: given, row: 0 }), [0.123, 1.23e-7, 0.877, 0, 0]);
});

test("a row fits a map with the same keys", () => {
  const one = scene(trace({ source, target }));
  assert.equal(givenRefusal(one, scene(trace({ source, target: axis([["x"]]) }))), "");
  const longer = axis([["the"], ["th", "i", "rd"], ["of"]]);
  assert.match(givenRefusal(one, scene(trace({ source: longer, target }))), /5 weights.*6 keys/);
  const other = axis([["the"], ["thi", "rd"], ["of"]]);
  assert.match(givenRefusal(one, scene(trace({ source: other, target }))), /other pieces/);
});

test("a row does not fit the words that a model wrote, nor a model without attention", () => {
  const one = scene(trace({ source, target }));
  const own = { kind: "decoder-self", query: "target", key: "decoder_input" };
  const written = trace({ source, target, maps: [map(target, target, own)] });
  assert.match(givenRefusal(one, scene(written, { map: "decoder-self" })), /words that each model/);
  assert.match(givenRefusal(one, scene(trace({ source, target, maps: [] }))), /no attention/);
});

test("a row over a photo fits a map with the same cells, of which each has its weight", () => {
  const made = pictureTrace();
  const over = (/** @type {any} */ change = {}) =>
    sceneOfCells(
      grid.sceneOf(
        { ...made, source: { ...made.source, ...change } },
        { ...PHOTO_DEFAULTS, view: "compare" },
        model(),
      ),
    );
  assert.equal(givenRefusal(over(), over()), "");
  assert.match(givenRefusal(over(), over({ rows: 2 })), /16 weights.*8 keys/);
  assert.match(givenRefusal(over(), over({ left: 7 })), /other pieces/);
  assert.match(givenRefusal(over(), scene(trace({ source, target }))), /16 weights.*5 keys/);
  const given = givenWeights({ scene: over(), row: 1 });
  const [{ weights }] = made.maps;
  assert.deepEqual(
    given,
    weights[1].map((weight) => Number(weight.toPrecision(3))),
  );
});

test("a row that was given before is replaced, and other edits stay", () => {
  const block = /** @type {const} */ ({ op: "block", queries: 1, keys: 0 });
  const first = withRow([block], { queries: 1 }, [1, 0]);
  assert.deepEqual(withRow(first, { queries: 1 }, [0, 1]), [
    block,
    { op: "row", queries: 1, weights: [0, 1] },
  ]);
  assert.equal(withRow(first, { queries: 0 }, [0, 1]).length, 3);
  assert.deepEqual(withoutRows(first), [block]);
});
