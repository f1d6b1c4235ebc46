import assert from "node:assert/strict";
import { test } from "node:test";

import { fitted, hasNames, isLong, mapLayout, sized } from "../../../static/js/core/map_layout.js";
import { viewOf } from "../../../static/js/core/trace.js";
import { axis, map, trace } from "../traces.js";

const widthOf = ({ text, special }) => text.length * 8 * (special ? 0.52 : 1);
const layout = (view, room, height = Infinity) => mapLayout(view, widthOf, { room, height });

function view(words, written = [["x"]]) {
  const [source, target] = [axis(words), axis(written, "mean")];
  const made = trace({ source, target, maps: [map(source, target)] });
  return viewOf(made, made, made.maps[0], "subwords");
}

const NAMES = ["a", "word", "extraordinarily"];
const many = (count, word) => view(Array.from({ length: count }, () => [word]));

test("cells never shrink so far that their headings would overlap", () => {
  for (const count of [1, 10, 60, 120]) {
    for (const room of [300, 1050]) {
      for (const word of NAMES) {
        const { cell } = layout(many(count, word), room, 200);
        const narrowest = word === "a" ? 14 : 18;
        assert.ok(cell.width >= narrowest && cell.height >= 18, `${count} × ${word} in ${room}`);
      }
    }
  }
});

test("a long map is whole in its room, in square cells", () => {
  for (const [room, count] of [
    [1232, 40],
    [358, 40],
    [1232, 200],
    [358, 200],
  ]) {
    const words = Array.from({ length: count }, () => ["word"]);
    const long = view(words, words);
    assert.ok(isLong(long) && !isLong(many(8, "word")));
    const how = { room, height: 400 };
    const { cell, headWidth, headHeight } = fitted(layout(long, room, 400), long, how);
    assert.equal(cell.width, cell.height);
    assert.ok(headWidth + cell.width * long.columns.length <= room);
    assert.ok(headHeight + cell.height * long.rows.length <= how.height);
  }
});

test("a long map that is larger than its room is fitted unless it is to be readable", () => {
  const shown = (count, room, size = null) => {
    const words = Array.from({ length: count - 1 }, () => ["word"]);
    const square = view(words, words);
    const how = { room, height: 400 };
    return sized(layout(square, room, 400), square, how, size).cell;
  };
  assert.deepEqual(shown(30, 1232), { width: 11, height: 11 });
  assert.equal(shown(30, 1232, "readable").height, 18);
  assert.equal(shown(9, 1232).height, 30, "short");
  assert.equal(shown(24, 1232).height, 15, "whole with low rows");
  assert.equal(shown(60, 1232).height, 5);
  const line = view(
    NAMES.map((name) => [name]),
    Array.from({ length: 60 }, () => ["word"]),
  );
  const how = { room: 1232, height: 400 };
  assert.equal(sized(layout(line, 1232, 400), line, how, null).cell.height, 18, "a line");
  assert.deepEqual([shown(28, 358).height, shown(35, 358).height], [9, 7]);
});

test("rows are lower than usual where a map is whole with them", () => {
  const square = (count) => {
    const words = Array.from({ length: count - 1 }, () => ["word"]);
    return view(words, words);
  };
  const height = (count, room) => layout(square(count), 1232, room).cell.height;
  const rows = (count, each) => layout(square(count), 1232).headHeight + count * each;
  assert.deepEqual(
    [14, 17, 13].map((each) => height(16, rows(16, each))),
    [14, 17, 18],
  );
});

test("a fitted map names all rows where their names have room", () => {
  const cell = (height) => ({ cell: { width: height, height } });
  assert.deepEqual([cell(11), cell(12)].map(hasNames), [false, true]);
});

test("a map shrinks until it fits the box, before it scrolls", () => {
  for (const count of [4, 12, 25, 40]) {
    for (const word of NAMES) {
      const { cell, headWidth, overhang } = layout(many(count, word), 1232);
      assert.ok(headWidth + cell.width * (count + 1) + overhang <= 1232, `${count} × ${word}`);
    }
  }
  const rows = (height) => layout(many(3, "a"), 600, height).cell.height;
  assert.deepEqual([rows(Infinity), rows(34 + 2 * 25), rows(10)], [30, 25, 18]);
});

test("the width of the cells follows the room without a jump", () => {
  for (const word of NAMES) {
    let before = null;
    for (let room = 1400; room >= 300; room--) {
      const { width } = layout(many(12, word), room).cell;
      if (before !== null)
        assert.ok(before - width >= -6 && before - width <= 12, `${word} ${room}`);
      before = width;
    }
  }
});

test("numbers are shown in cells that hold them", () => {
  assert.equal(layout(many(8, "word"), 600).numbered, true);
  assert.equal(layout(many(60, "word"), 600).numbered, false);
});

test("single characters stand level in narrow cells", () => {
  const { cell, slanted } = layout(many(60, "a"), 600);
  assert.deepEqual([cell.width, slanted], [14, false]);
});

test("words stand level where there is room and slanted where there is not", () => {
  const few = layout(view(Array.from({ length: 6 }, () => ["sentence"])), 1050);
  const crowded = layout(many(60, "sentence"), 1050);
  assert.equal(few.slanted, false);
  assert.equal(crowded.slanted, true);
  assert.ok(crowded.headHeight > few.headHeight);
});

test("a short map takes the room there is, up to a comfortable width", () => {
  assert.equal(layout(view([["a"], ["b"]]), 1050).cell.width, 56);
});

test("one endless word does not take the box for its heading", () => {
  const endless = "x".repeat(400);
  const wide = layout(view([[endless]], [[endless]]), 1050);
  assert.ok(wide.headWidth <= 168 && wide.cell.width <= 128);
  assert.ok(layout(view([[endless]], [[endless]]), 320).headWidth <= 92);
});
