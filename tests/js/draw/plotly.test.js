import assert from "node:assert/strict";
import { test } from "node:test";

import { DARK, LIGHT } from "../../../static/js/core/colours.js";
import { heatmapOf } from "../../../static/js/core/heatmap.js";
import { viewOf } from "../../../static/js/core/trace.js";
import { mapFigure } from "../../../static/js/draw/plotly.js";
import { axis, map, trace, partial } from "../traces.js";

function view(source, target) {
  /** @type {any} */
  const made = trace({ source, target, maps: [map(source, target)] });
  return viewOf(made, made, made.maps[0], "subwords");
}

const figure = ({ weights }, { palette = LIGHT, rtl = false } = {}) => {
  const heat = heatmapOf(weights, { scale: "whole", log: false, palette });
  return partial(mapFigure({ ...heat, cell: { width: 30, height: 20 }, rtl }));
};

test("axes are integers, so that words spelled the same never merge", () => {
  const repeated = view(axis([["the"], ["the"], ["the"]]), axis([["la"], ["la"]], "mean"));
  const { data, layout } = figure(repeated);
  assert.deepEqual(data[0].x, [0, 1, 2, 3]);
  assert.deepEqual(data[0].y, [0, 1, 2]);
  assert.equal(data[0].z.length, 3);
  assert.equal(data[0].z[0].length, 4);
  assert.deepEqual([layout.width, layout.height], [120, 60]);
});

test("rows are what was written, from the top down; columns are what was read", () => {
  /** @type {any} */
  const made = view(axis([["a"], ["b"], ["c"]]), axis([["x"]], "mean"));
  const { data, layout } = figure(made);
  assert.equal(data[0].z.length, made.rows.length);
  assert.deepEqual(layout.yaxis.range, [1.5, -0.5]);
  assert.deepEqual(layout.xaxis.range, [-0.5, 3.5]);
});

test("a text read from right to left has its columns from right to left", () => {
  /** @type {any} */
  const made = view(axis([["שלום"], ["עולם"]]), axis([["x"]], "mean"));
  assert.deepEqual(figure(made, { rtl: true }).layout.xaxis.range, [2.5, -0.5]);
});

test("the colour of weight 0 is the colour of the page", () => {
  /** @type {any} */
  const made = view(axis([["a"]]), axis([["b"]], "mean"));
  for (const palette of [LIGHT, DARK]) {
    assert.equal(figure(made, { palette }).data[0].colorscale[0][1], palette.stops[0]);
  }
});
