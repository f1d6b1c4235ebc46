import assert from "node:assert/strict";
import { test } from "node:test";

import { at, mark, onPage, unless } from "../../../static/js/draw/marks.js";
import { flowing, stacked } from "../../../static/js/draw/pieces.js";
import { file, written } from "../../../static/js/draw/paper.js";
import { cells, rasterOf } from "../../../static/js/draw/raster.js";
import { texts } from "../texts.js";
import { parsed } from "../xml.js";

test("text of users is escaped, and invalid characters are removed", () => {
  for (const text of [
    "</text><script>",
    "a & b",
    "\"quoted\" 'too'",
    "]]>",
    "<!-- -->",
    "\u0000\u0001\u001b",
    "half \ud800 of a pair",
    "\ufffe\uffff",
    "שלום 🎉",
    ...texts().filter((text) => !/[\0\v\f]/.test(text)),
  ]) {
    const drawn = written({ name: "text", attributes: { title: text }, text });
    const [{ text: back, attributes }] = parsed(drawn);
    assert.equal(back, text.replace(/[\u0000\u0001\u001b\ud800\ufffe\uffff]/g, "\ufffd"));
    assert.ok(!/[<]/.test(attributes.title));
  }
});

test("an attribute that is nothing is left out, and numbers have no more digits than can be seen", () => {
  const path = mark("path", { d: "M0 0", fill: null, x: 1 / 3 });
  assert.equal(written(path), '<path d="M0 0" x="0.33"/>');
  assert.equal(written(mark("path", { x: 2.0000001 })), '<path x="2"/>');
});

test("paper omits what only the page needs, what is still to come, and groups of nothing", () => {
  const path = mark("path", { class: "arc", "data-row": 1, role: "button", lang: "fr", d: "M0 0" });
  assert.equal(written(path), '<path d="M0 0"/>');
  assert.equal(written(at(1, 2, [onPage(path), unless(true, path), null])), "");
  assert.equal(file({ role: "img" }, [path]), '<svg role="img"><path d="M0 0"/></svg>');
});

test("pieces stand one below the other, or side by side as long as there is room", () => {
  const piece = { width: 40, height: 10, marks: [mark("path", {})] };
  assert.deepEqual([stacked([piece, piece], 5).height, stacked([piece, piece], 5).width], [25, 40]);
  assert.equal(stacked([], 5).height, 0);
  const lines = flowing([piece, piece, piece], 90, 10);
  assert.deepEqual([lines.width, lines.height], [90, 30]);
});

test("cells of one colour are one path, neighbours one part of it, and those as white as paper none", () => {
  const colourOf = (/** @type {number} */ place) => (place ? "#000000" : "#ffffff");
  const raster = rasterOf({ positions: [[1, 1, 0]], colourOf });
  const place = (/** @type {import("../../../static/js/draw/marks.js").Mark} */ { children }) =>
    children?.map(({ attributes: { d } }) => d);
  const cell = { x: 5, y: 0, width: 10, height: 10 };
  assert.deepEqual(place(cells(raster, cell)), ["M5 0h20v10h-20z"]);
  assert.deepEqual(place(cells({ ...raster, rtl: true }, cell)), ["M15 0h20v10h-20z"]);
  assert.equal(cells(raster, cell, 1).children?.length, 2);
});
