import assert from "node:assert/strict";
import { test } from "node:test";

import { grid } from "../../../../static/js/core/kinds/grid.js";
import { DEFAULTS as PICTURE_DEFAULTS } from "../../../../static/js/core/grid_state.js";
import { sceneOf } from "../../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../../static/js/core/state.js";
import { columns, headings } from "../../../../static/js/views/network/columns.js";
import { drawNetwork } from "../../../../static/js/views/network/draw.js";
import { encoding } from "../../../../static/js/views/network/layers.js";
import { FULL, hatch, means } from "../../../../static/js/views/network/marks.js";
import { networkOf } from "../../../../static/js/views/network/model.js";
import { draw as drawSheet } from "../../../../static/js/views/network/svg.js";
import { stepOf } from "../../../../static/js/views/step/token_step.js";
import { stepOf as pictureStepOf } from "../../../../static/js/views/step/grid_step.js";
import { INK } from "../../../../static/js/draw/ink.js";
import { strongest } from "../../../../static/js/views/network/vision.js";
import { captioner, pictureTrace } from "../../picture_traces.js";
import { axis, model, trace, partial } from "../../traces.js";
import { parsed, texts } from "../../xml.js";

/** @returns {any} */
const measure = (text, { size }) => Array.from(text).length * size * 0.5;
const HOW = { room: 900, measure, look: INK, part: Infinity, playing: false };
const FAMILY = { family: "recurrent" };

/** @returns {any} */
const sceneOfTrace = (made) =>
  sceneOf(
    made,
    { ...DEFAULTS, units: "subwords", view: "network" },
    model({ ...FAMILY, weights: made.model.weights, order: made.model.order }),
  );

/** All marks of a drawing, those inside others included. */
const flat = (marks) => marks.flatMap((mark) => [mark, ...flat(mark.children ?? [])]);

function drawn(made, row, how = {}) {
  const scene = sceneOfTrace(made);
  const network = networkOf(scene, row, stepOf(scene, row));
  const picture = drawNetwork(network, { ...HOW, ...how });
  return { ...picture, all: flat(picture.marks) };
}

const partsIn = (all) => all.flatMap(({ attributes }) => attributes["data-part"] ?? []);

test("an arrow is as wide as its weight, and all arrows together as wide as the weight 1", () => {
  const made = trace();
  const { all } = drawn(made, 2);
  const arrows = all.filter(({ attributes }) => attributes["data-weight"] !== undefined);
  const wide = made.maps[0].weights[2].map((weight) => Math.max(weight * FULL, 0.5));
  assert.deepEqual(
    arrows.map(({ attributes }) => attributes["stroke-width"]),
    wide.map((each) => Math.round(each * 100) / 100),
  );
});

test("the arrows of another step are others", () => {
  const made = trace();
  const widths = (row) =>
    drawn(made, row).all.flatMap(({ attributes }) =>
      attributes["data-weight"] === undefined ? [] : attributes["stroke-width"],
    );
  assert.notDeepEqual(widths(0), widths(1));
});

test("while it plays later words are not there, and otherwise they are faint", () => {
  const words = (playing) =>
    partsIn(drawn(trace(), 1, { playing }).all).filter((id) => id.startsWith("output:"));
  assert.equal(words(true).length, 2);
  assert.ok(words(false).length > 2);
});

test("parts of the step that are still to come are marked so", () => {
  const later = (part) => drawn(trace(), 1, { part }).all.filter((mark) => mark.later).length;
  assert.equal(later(5), 0);
  assert.ok(later(0) > later(2));
});

test("attention before the update has a query of the state before, after it of the new one", () => {
  const made = trace();
  const way = (order) => {
    const of = { ...made.model, order };
    const query = drawn({ ...made, model: of }, 2).all.find(
      ({ attributes }) => attributes["data-part"] === "query",
    );
    return flat(query.children).find(({ attributes }) => attributes["data-target"] === "")
      .attributes.d;
  };
  const start = (order) => Number(/^M([\d.]+)/.exec(way(order))[1]);
  assert.ok(start("before") < start("after"));
});

test("without attention one arrow leads through one vector", () => {
  const model = { ...trace().model, mechanism: "none", order: "fixed" };
  const { all } = drawn(trace({ model, maps: [] }), 1);
  assert.equal(partsIn(all).filter((id) => id === "context").length, 1);
  assert.equal(all.filter(({ attributes }) => attributes["data-weight"] !== undefined).length, 0);
});

test("each part has one place and a name", () => {
  const { all } = drawn(trace(), 1);
  const parts = all.filter(({ attributes }) => attributes["data-part"]);
  const ids = parts.map(({ attributes }) => attributes["data-part"]);
  assert.equal(new Set(ids).size, ids.length);
  for (const { attributes } of parts) assert.ok(attributes["aria-label"], attributes["data-part"]);
});

test("a long text is wider than a narrow room, and scrolls to the step", () => {
  const many = axis(Array.from({ length: 80 }, (_, index) => [`w${index}`]));
  const { width, focus } = drawn(trace({ source: many, maps: [] }), 1, { room: 340 });
  assert.ok(width > 340);
  assert.ok(focus < width);
});

test("columns that have no room for all headings show the strongest", () => {
  /** @type {any} */
  const items = Array.from({ length: 40 }, (_, index) => ({
    text: `word${index}`,
    tokens: [index],
  }));
  const place = columns(40, 0, 9);
  const { texts: shown } = headings(items, place, {
    measure,
    look: INK,
    y: 0,
    strong: new Set([20, 21, 5]),
    tone: () => ({}),
  });
  assert.deepEqual(
    shown.flatMap((text) => (text ? [text.text] : [])),
    ["word5", "word20"],
  );
});

test("columns of a text from right to left begin at the right", () => {
  const place = columns(3, 0, 30, true);
  assert.ok(place.x(0) > place.x(2));
});

test("means of neighbours keep the mean of a vector", () => {
  assert.deepEqual(means([1, 3, 5, 7], 2), [2, 6]);
  assert.deepEqual(means([1, 2, 3], 2), [1, 2, 3]);
});

test("a hatching stays inside its place", () => {
  const numbers = hatch({ x: 10, y: 20, width: 12, height: 8 })
    .match(/[\d.]+/g)
    .map(Number);
  numbers.forEach((value, index) =>
    assert.ok(index % 2 ? value >= 20 && value <= 28 : value >= 10 && value <= 22),
  );
});

test("positions are encoded by sines and cosines, the first as 0 and 1", () => {
  assert.deepEqual(
    encoding(0, 256),
    Array.from({ length: 12 }, (_, cell) => cell % 2),
  );
  assert.ok(Math.abs(encoding(3, 256)[0] - Math.sin(3)) < 1e-12);
});

test("the cells with arrows and all others share the weight 1", () => {
  const { cells, rest } = strongest([0.5, 0.1, 0.3, 0.1]);
  assert.deepEqual(cells, [0, 2]);
  assert.ok(Math.abs(rest - 0.2) < 1e-12);
});

test("as a file it is an SVG with its words, and with the sentence of the step", () => {
  const { svg } = drawSheet(
    { ...sceneOfTrace(trace()), row: 1 },
    partial({ measure, moment: null, model: { stepOf } }),
  );
  assert.ok(parsed(svg).length > 50);
  assert.ok(texts(svg).includes("⟨end⟩"));
  assert.match(svg, /<desc>Step 2: the decoder looks mostly at/);
  assert.doesNotMatch(svg, /data-part|tabindex|var\(/);
});

test("frames of an animation are equally large", () => {
  /** @type {any} */
  const scene = { ...sceneOfTrace(trace()), parts: 1 };
  const sizes = [0, 1, 2].map((row) => {
    const { width, height } = drawSheet(
      scene,
      partial({ measure, moment: { row, current: row, part: 0 }, model: { stepOf } }),
    );
    return `${width} ${height}`;
  });
  assert.equal(new Set(sizes).size, 1);
});

test("the network of a photo is a file that contains the photo once", () => {
  const settings = { ...PICTURE_DEFAULTS, view: "network", step: 1 };
  /** @type {any} */
  const scene = grid.sceneOf(pictureTrace(), settings, captioner());
  const { svg } = drawSheet(
    scene,
    partial({ measure, moment: null, model: { stepOf: pictureStepOf } }),
  );
  assert.ok(parsed(svg).length > 50);
  assert.equal(svg.split("data:image/jpeg").length, 2);
  assert.match(svg, /href="#photo"/);
});
