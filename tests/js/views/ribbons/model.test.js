import assert from "node:assert/strict";
import { test } from "node:test";

import { INK } from "../../../../static/js/draw/ink.js";
import { ribbonsDrawing } from "../../../../static/js/views/ribbons/marks.js";
import { ribbons, strongestMass } from "../../../../static/js/views/ribbons/model.js";
import { viewOf } from "../../../../static/js/core/trace.js";
import { axis, map, model, trace } from "../../traces.js";

const measure = (text) => text.length * 8;

function view(words, written, weights) {
  const [source, target] = [axis(words), axis(written, "mean")];
  const made = trace({
    source,
    target,
    maps: [{ ...map(source, target), ...(weights && { weights }) }],
  });
  return viewOf(made, made, made.maps[0], "words");
}

const words = (...texts) => texts.map((text) => [text]);
const small = () => view(words("the", "red", "house"), words("la", "maison", "rouge"));
const numbers = (path) => path.match(/-?\d+(\.\d+)?/g).map(Number);

test("the strongest weights are kept until they hold the share asked for", () => {
  assert.deepEqual(strongestMass([0.1, 0.6, 0.2, 0.1], 0.75), [1, 2]);
  assert.deepEqual(strongestMass([0.1, 0.6, 0.2, 0.1], 0.5), [1]);
  assert.deepEqual(strongestMass([0.5, 0, 0.5], 1), [0, 2]);
  assert.deepEqual(strongestMass([0, 0], 0.75), []);
  assert.deepEqual(strongestMass([0.25, 0.25, 0.25, 0.25], 0.75), [0, 1, 2]);
});

test("every row has a ribbon, and a larger share never has fewer", () => {
  const counts = [0.1, 0.75, 1].map(
    (mass) => ribbons(small(), { room: 900, mass, measure }).ribbons.length,
  );
  assert.equal(counts[0], 4);
  assert.ok(counts[0] <= counts[1] && counts[1] <= counts[2]);
});

test("where there is room the sentences stand one above the other, else side by side", () => {
  assert.equal(ribbons(small(), { room: 900, mass: 0.75, measure }).across, true);
  const narrow = ribbons(small(), { room: 90, mass: 0.75, measure });
  assert.equal(narrow.across, false);
  const long = view(
    Array.from({ length: 60 }, () => ["sentence"]),
    words("x"),
  );
  const drawn = ribbons(long, { room: 1000, mass: 0.75, measure });
  assert.equal(drawn.across, false);
  assert.ok(drawn.width <= 1000 && drawn.height >= 61 * 28);
});

test("in more height the sentences stand farther apart, up to a share of their length", () => {
  const long = view(
    Array.from({ length: 40 }, () => ["sentence"]),
    words("x"),
  );
  const drawn = (high) => ribbons(long, { room: 4000, high, mass: 0.75, measure });
  assert.equal(drawn(0).height, ribbons(small(), { room: 900, mass: 0.75, measure }).height);
  assert.equal(drawn(700).height, 700);
  assert.ok(drawn(9000).height < 0.5 * drawn(0).width);
});

test("the ribbons of a word are as wide as its coverage, without gaps or overlaps", () => {
  const weights = [
    [0.5, 0.5, 0, 0],
    [0.75, 0, 0.25, 0],
    [0, 0, 1, 0],
    [0.25, 0, 0, 0.75],
  ];
  for (const room of [900, 60]) {
    const drawing = ribbons(view(words("a", "b", "c"), words("x", "y", "z"), weights), {
      room,
      mass: 1,
      measure,
    });
    const unit = drawing.across ? 0 : 1;
    const ends = drawing.ribbons.map(({ path, weight, ...at }) => {
      const all = numbers(path);
      const [near, far] = [all.slice(0, 2), all.slice(8, 10)]; // where it starts, where it turns back
      return { ...at, weight, near: near[unit], far: far[unit] - weight * 18, wide: weight * 18 };
    });
    for (const [kind, end, places] of /** @type {[string, string, typeof drawing.rows][]} */ ([
      ["column", "near", drawing.columns],
      ["row", "far", drawing.rows],
    ])) {
      places.forEach((place, index) => {
        /** @type {any} */
        const here = ends
          .filter((ribbon) => ribbon[kind] === index)
          .sort((a, b) => a[end] - b[end]);
        let at = here[0]?.[end] ?? 0;
        for (const ribbon of here) {
          assert.ok(Math.abs(ribbon[end] - at) < 0.02, `${kind} ${index} in ${room}`);
          at += ribbon.wide;
        }
        const total = here.reduce((sum, ribbon) => sum + ribbon.weight, 0);
        assert.ok(Math.abs(place.total - total) < 1e-9);
        if (here.length) assert.ok(here[0][end] >= place.from - 0.02 && at <= place.to + 0.02);
      });
    }
  }
});

test("words never overlap, even if one has many ribbons", () => {
  const all = Array.from({ length: 7 }, () => [1, 0, 0]);
  const drawing = ribbons(view(words("a", "b"), words(..."uvwxyz"), all), {
    room: 900,
    mass: 0.75,
    measure,
  });
  const sorted = drawing.columns.toSorted((a, b) => a.from - b.from);
  sorted.slice(1).forEach((place, index) => assert.ok(place.from >= sorted[index].to - 1e-9));
});

test("a sentence read from right to left runs from right to left", () => {
  const { columns, rows } = ribbons(view(words("שלום", "עולם"), words("a", "b")), {
    room: 900,
    mass: 0.75,
    measure,
  });
  assert.ok(columns[0].x > columns[1].x && columns[1].x > columns[2].x);
  assert.ok(rows[0].x < rows[1].x);
});

test("a very long word is truncated, and a model without attention has no ribbons", () => {
  const { columns } = ribbons(view(words("x".repeat(400)), words("y")), {
    room: 900,
    mass: 0.75,
    measure,
  });
  assert.equal(columns[0].text.length, 24);
  const made = trace({ maps: [] });
  assert.deepEqual(
    ribbons(viewOf(made, made, null, "words"), { room: 900, mass: 0.75, measure }).ribbons,
    [],
  );
});

test("in little height a drawing that fits is whole, with fewer words", () => {
  const long = (count) =>
    view(
      Array.from({ length: count }, () => ["sentence"]),
      Array.from({ length: count }, () => ["phrase"]),
    );
  const fitted = (count, high, room = 300) =>
    ribbons(long(count), { room, high, fits: true, mass: 0.75, measure });
  for (const count of [12, 24, 80]) assert.ok(fitted(count, 250).height <= 250.01, `${count}`);
  assert.deepEqual(
    [12, 24].map((count) => fitted(count, 250).dense),
    [false, true],
  );
  const line = fitted(12, 180, 2000);
  assert.deepEqual([line.across, line.height], [true, 180]);
});

test("every word of a dense column takes the pointer at its place, and few are written", () => {
  const many = Array.from({ length: 80 }, () => ["word"]);
  const scene = { view: view(many, many), model: model() };
  const laid = ribbons(scene.view, { room: 300, high: 250, fits: true, mass: 0.75, measure });
  const now = { row: 3, column: null, current: 3, until: Infinity };
  const ends = ribbonsDrawing(
    scene,
    laid,
    INK,
  )(now).filter(({ attributes }) => attributes.class === "end");
  assert.equal(ends.length, laid.rows.length + laid.columns.length);
  for (const { attributes, children } of ends) {
    const column = attributes["data-column"];
    const place = column === undefined ? laid.rows[attributes["data-row"]] : laid.columns[column];
    const { x, y, width, height } = children[0].attributes;
    assert.deepEqual([y, Number(y) + Number(height), width], [place.from, place.to, place.wide]);
    assert.equal(column === undefined ? x : Number(x) + Number(width), place.x);
    assert.ok(children[0].page);
  }
  assert.ok(ends.filter(({ children }) => children.length > 1).length < 5);
});
