import assert from "node:assert/strict";
import { test } from "node:test";

import { mapLayout } from "../../../static/js/core/map_layout.js";
import { viewOf } from "../../../static/js/core/trace.js";
import { axis, map, trace } from "../traces.js";

const measure = (text) => text.length * 8;

function view(words, written = [["x"]]) {
  const [source, target] = [axis(words), axis(written, "mean")];
  const made = trace({ source, target, maps: [map(source, target)] });
  return viewOf(made, made, made.maps[0], "subwords");
}

test("cells never shrink below a comfortable size, however many there are", () => {
  for (const count of [1, 10, 60, 120]) {
    for (const room of [300, 1050]) {
      for (const word of ["a", "word", "extraordinarily"]) {
        const { cell } = mapLayout(
          view(Array.from({ length: count }, () => [word])),
          room,
          measure,
        );
        assert.ok(cell.width >= 28 && cell.height >= 28, `${count} × ${word} in ${room}`);
      }
    }
  }
});

test("single characters stand level in narrow cells", () => {
  const { cell, slanted } = mapLayout(view(Array.from({ length: 60 }, () => ["a"])), 600, measure);
  assert.deepEqual([cell.width, slanted], [28, false]);
});

test("words stand level where there is room and slanted where there is not", () => {
  const few = mapLayout(view(Array.from({ length: 6 }, () => ["sentence"])), 1050, measure);
  const many = mapLayout(view(Array.from({ length: 60 }, () => ["sentence"])), 1050, measure);
  assert.equal(few.slanted, false);
  assert.equal(many.slanted, true);
  assert.ok(many.headHeight > few.headHeight);
});

test("a short map takes the room there is, up to a comfortable width", () => {
  assert.equal(mapLayout(view([["a"], ["b"]]), 1050, measure).cell.width, 56);
});

test("one endless word does not take the box for its heading", () => {
  const endless = "x".repeat(400);
  const wide = mapLayout(view([[endless]], [[endless]]), 1050, measure);
  assert.ok(wide.headWidth <= 168 && wide.cell.width <= 104);
  assert.ok(mapLayout(view([[endless]], [[endless]]), 320, measure).headWidth <= 92);
});
