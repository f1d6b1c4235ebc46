import assert from "node:assert/strict";
import { test } from "node:test";

import { LIGHT } from "../../static/js/colours.js";
import { escaped, labelled } from "../../static/js/labelled.js";
import { viewOf } from "../../static/js/trace.js";
import { axis, map, trace } from "./traces.js";

const how = { log: false, scale: "whole", palette: LIGHT, cell: { width: 30, height: 20 }, rtl: false, title: "t" };

function view(source, target) {
  const made = trace({ source, target, maps: [map(source, target)] });
  return viewOf(made, made, made.maps[0], "subwords");
}

test("words spelled the same have a place and a label each", () => {
  const { layout } = labelled(view(axis([["the"], ["the"], ["the"]]), axis([["la"], ["la"]], "mean")), how);
  assert.deepEqual(layout.xaxis.tickvals, [0, 1, 2, 3]);
  assert.deepEqual(layout.xaxis.ticktext, ["the", "the", "the", "end"]);
  assert.deepEqual(layout.yaxis.ticktext, ["la", "la", "end"]);
  assert.deepEqual(layout.yaxis.range, [2.5, -0.5]);
});

test("the saved figure is labelled, says its scale, and takes a user's text as text", () => {
  const nasty = view(axis([["<b>bold</b>"], ["<a href='https://example.com'>"]]), axis([["&amp;"]], "mean"));
  const { data, layout } = labelled(nasty, { ...how, scale: "row", title: "<i>t</i>" });
  const texts = [...layout.xaxis.ticktext, ...layout.yaxis.ticktext, layout.title.text].join(" ");
  assert.doesNotMatch(texts, /<(?!br>)/);
  assert.match(layout.yaxis.ticktext[0], /&amp;amp;/);
  assert.deepEqual(data[0].colorbar.ticktext, ["0", "row’s largest"]);
  assert.deepEqual(labelled(nasty, how).data[0].colorbar.ticktext, ["0", "1.00"]);
});

test("what Plotly would take for markup is escaped", () => {
  assert.equal(escaped("a<b>&c"), "a&lt;b&gt;&amp;c");
});
