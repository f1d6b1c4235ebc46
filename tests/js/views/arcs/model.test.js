import assert from "node:assert/strict";
import { test } from "node:test";

import { sceneOf } from "../../../../static/js/core/scene.js";
import { reading } from "../../../../static/js/core/kinds/reading.js";
import { DEFAULTS } from "../../../../static/js/core/state.js";
import {
  MOST_ARCS,
  arcsFrom,
  arcsOf,
  layOut,
  wordsOf,
} from "../../../../static/js/views/arcs/model.js";
import { draw } from "../../../../static/js/views/arcs/svg.js";
import { fittingView, viewNamed } from "../../../../static/js/core/views.js";
import { READER, readingTrace } from "../../readings.js";
import { axis, map, model, trace } from "../../traces.js";
import { parsed, texts } from "../../xml.js";

const measure = (text) => text.length * 8;
/** @type {any} */
const how = { measure: (text, { size }) => text.length * size * 0.5, moment: null };
const read = (change = {}) =>
  sceneOf(readingTrace(), { ...DEFAULTS, view: "arcs", ...change }, READER);
const numbers = (path) => path.match(/-?\d+(\.\d+)?/g).map(Number);

/** A scene of self-attention of the input, to words before and after. */
function both(count = 4) {
  const source = axis(Array.from({ length: count }, (_, place) => [`word${place}`]));
  const target = axis([["x"]], "mean");
  const size = source.tokens.length;
  const maps = [
    {
      ...map(source, target, { kind: "encoder-self", query: "source", key: "source" }),
      weights: source.tokens.map((_, row) =>
        source.tokens.map((_, column) => (column === size - 1 - row ? 0.8 : 0.2 / (size - 1))),
      ),
    },
  ];
  return sceneOf(
    trace({ source, target, maps }),
    { ...DEFAULTS, view: "arcs" },
    model({ order: "after" }),
  );
}

test("arcs are offered for maps of a sentence to itself only", () => {
  const choice = { heads: [0], layers: [0] };
  const fits = (picked) => viewNamed("tokens", "arcs").fits({ ...choice, picked });
  assert.equal(fits({ query: "target", key: "decoder_input" }), true);
  assert.equal(fits({ query: "source", key: "source" }), true);
  assert.equal(fits({ query: "target", key: "source" }), false);
  assert.equal(fits(null), false);
  const cross = { ...choice, picked: { query: "target", key: "source" } };
  assert.equal(fittingView("tokens", "arcs", cross).name, "map");
});

test("arcs are the default of sentences that are read, and of no other kind", () => {
  assert.equal(viewNamed("reading", "").name, "arcs");
  assert.equal(viewNamed("tokens", "").name, "map");
});

test("each word stands there once: the start is no row, and the end no column", () => {
  const words = wordsOf(read().view);
  assert.deepEqual(
    words.map(({ item }) => item.text),
    ["<s>", "keys", "to", "be", "</s>"],
  );
  assert.deepEqual(
    words.map(({ row, column }) => [row, column]),
    [
      [null, 0],
      [0, 1],
      [1, 2],
      [2, 3],
      [3, null],
    ],
  );
  assert.equal(wordsOf(both().view).length, 5);
});

test("an arc leads from its word to the one that it leans on", () => {
  const { view } = read();
  const drawing = layOut(view, { room: 900, measure });
  assert.equal(drawing.across, true);
  const path = numbers(drawing.path({ row: 2, column: 1, weight: 0.9 }));
  const [keys, be] = [drawing.points[1], drawing.points[3]];
  assert.deepEqual([path[0], path.at(-2)], [keys.x, be.x]);
  assert.equal(drawing.numberOf({ row: 2, column: 1, weight: 0.9 }).text, "keys");
});

test("arcs to later words are on the other side", () => {
  const { view } = both();
  for (const room of [900, 150]) {
    const drawing = layOut(view, { room, measure });
    const at = drawing.across ? 1 : 0;
    const edge = (row, column) => numbers(drawing.path({ row, column, weight: 1 }))[at];
    assert.ok(edge(3, 0) < edge(0, 3));
  }
});

test("where the line has no room the words stand below each other, never wider than the room", () => {
  for (const count of [40, 200]) {
    const scene = both(count);
    for (const room of [296, 900]) {
      const drawing = layOut(scene.view, { room, measure });
      assert.equal(drawing.across, false);
      assert.ok(drawing.width <= room, `${drawing.width} in ${room}`);
      const ends = arcsOf(scene.view, 0.1).flatMap((arc) => numbers(drawing.path(arc)));
      assert.ok(ends.every(Number.isFinite));
    }
  }
});

test("arcs on a line are flatter where there is less height for them", () => {
  const { view } = both(9);
  const free = layOut(view, { room: 900, measure });
  for (const height of [400, 200]) {
    const drawing = layOut(view, { room: 900, height, measure });
    assert.ok(drawing.across);
    assert.ok(drawing.height <= Math.min(height, free.height), `${drawing.height}`);
  }
  assert.ok(layOut(view, { room: 900, height: 10, measure }).height > 100);
});

test("arcs reach the chosen weight; those of a word are shown from 0.01 on, the strongest last", () => {
  const { view } = read();
  assert.equal(arcsOf(view, 0.5).length, 3);
  assert.equal(arcsOf(view, 0.01).length, 10);
  assert.deepEqual(
    arcsFrom(view, 2).map(({ column }) => column),
    [0, 2, 1],
  );
  const even = { ...view, weights: Array.from({ length: 80 }, () => Array(80).fill(1 / 80)) };
  assert.equal(arcsOf(even, 0.01).length, MOST_ARCS);
});

test("the drawing has the words once, and the weights of the current one", () => {
  const { svg } = draw(read({ step: 2 }), how);
  assert.ok(parsed(svg).length > 3);
  const drawn = texts(svg);
  for (const text of ["keys", "to", "be", "0.90", "0.05"]) assert.ok(drawn.includes(text), text);
  assert.equal(drawn.filter((text) => text === "keys").length, 1);
  const moment = { row: 0, current: 0, part: 0 };
  assert.ok(!texts(draw(read(), { ...how, moment }).svg).includes("be"));
  assert.ok(parsed(draw(both(), how).svg).length > 3);
});

test("the sentence of a word says what it leans on", () => {
  assert.match(
    reading.sentence(read(), 2),
    /^Word 3 of 4: “be” \(probability 50.*\), leaning mostly on “keys” \(0\.90\)/,
  );
});

test("a column that fits is whole in its height, with fewer words", () => {
  const { view } = both(60);
  const laid = (height) => layOut(view, { room: 300, height, fits: true, measure: () => 40 });
  assert.deepEqual([laid(300).height, laid(300).dense], [300, true]);
  assert.deepEqual([laid(900).height, laid(900).dense], [900, false]);
  assert.equal(laid(9000).height, laid(Infinity).height);
});
