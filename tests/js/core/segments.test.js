import assert from "node:assert/strict";
import { test } from "node:test";

import { segments } from "../../../static/js/core/segments.js";
import { items } from "../../../static/js/core/trace.js";
import { axis, partial } from "../traces.js";

const texts = (cut) => cut.map((segment) => segment.text);

test("every character of the string comes once and in order", () => {
  for (const words of [
    [["a"]],
    [
      ["un", "like"],
      ["🎉", "é!"],
    ],
    [["שלום"], ["x"]],
    [["👩‍👩‍👧"]],
  ]) {
    for (const units of ["words", "subwords"]) {
      /** @type {any} */
      const source = axis(words);
      /** @type {any} */
      const cut = segments(source.text, items(source, partial(units)));
      assert.equal(texts(cut.filter((segment) => !segment.special)).join(""), source.text);
    }
  }
});

test("offsets count code points, so an emoji does not shift what follows", () => {
  /** @type {any} */
  const source = axis([["🎉"], ["may"]]);
  /** @type {any} */
  const cut = segments(source.text, items(source, "subwords"));
  assert.deepEqual(texts(cut), ["🎉", " ", "may", "</s>"]);
  assert.deepEqual(
    cut.map((segment) => segment.items),
    [[0], [], [1], [2]],
  );
});

test("pieces that share a character share its segment", () => {
  const shared = [
    { text: "a", start: 0, end: 1, special: false, tokens: [0] },
    { text: "🎉", start: 1, end: 2, special: false, tokens: [1] },
    { text: "🎉", start: 1, end: 2, special: false, tokens: [2] },
    { text: "", start: 2, end: 2, special: false, tokens: [3] },
  ];
  /** @type {any} */
  const cut = segments("a🎉b", shared);
  assert.deepEqual(texts(cut), ["a", "🎉", "b"]);
  assert.deepEqual(cut[1].items, [1, 2, 3]);
});

test("every item has a segment, the end mark included", () => {
  /** @type {any} */
  const source = axis([["a", "b"], ["c"]]);
  const found = segments(source.text, items(source, "subwords")).flatMap(
    (segment) => segment.items,
  );
  assert.deepEqual(found, [0, 1, 2, 3]);
});

test("an output of nothing is its end mark", () => {
  const nothing = [{ text: "</s>", start: 0, end: 0, special: true, tokens: [0] }];
  assert.deepEqual(segments("", nothing), [{ text: "</s>", items: [0], special: true }]);
});

test("what is passed over at the end stands before the end token", () => {
  /** @type {any} */
  const source = axis([["a"]]);
  /** @type {any} */
  const cut = segments(
    "a 🎉",
    items(source, "words").map((item) => (item.special ? { ...item, start: 3, end: 3 } : item)),
  );
  assert.deepEqual(texts(cut), ["a", " 🎉", "</s>"]);
  assert.deepEqual(cut[1].items, []);
});
