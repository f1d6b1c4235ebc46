import assert from "node:assert/strict";
import { test } from "node:test";

import {
  direction,
  heading,
  named,
  percent,
  signed,
  slice,
  visible,
  weight,
} from "../../../static/js/core/text.js";

const item = (text, special = false) => ({ text, start: 0, end: 1, special });

test("a slice counts code points", () => {
  assert.equal(slice("a🎉b", 1, 2), "🎉");
  assert.equal(slice("a🎉b", 2, 3), "b");
});

test("direction follows the first letter", () => {
  assert.equal(direction("hello"), "ltr");
  assert.equal(direction("3 שלום"), "rtl");
  assert.equal(direction("مرحبا hello"), "rtl");
  assert.equal(direction("hello مرحبا"), "ltr");
  assert.equal(direction("12/3"), "ltr");
});

test("what leaves no ink is shown by a sign", () => {
  assert.equal(visible("a\nb\tc"), "a↵b⇥c");
  assert.equal(visible("\u0000\u001b"), "␀␛");
  assert.equal(visible("\u202eabc\u200b"), "▯abc▯");
  assert.deepEqual(heading(item(" ")), { text: "␣", quiet: "blank" });
  assert.deepEqual(heading(item("\n")), { text: "↵", quiet: "blank" });
  assert.deepEqual(heading(item("\u0301")), { text: "◌\u0301", quiet: null });
});

test("joiners inside a piece are left alone: without them it is another text", () => {
  assert.equal(visible("👩\u200d👧"), "👩\u200d👧");
  assert.equal(visible("\u200d"), "▯");
});

test("the end mark is a quiet word, never markup", () => {
  assert.deepEqual(heading(item("</s>", true)), { text: "⟨end⟩", quiet: "mark" });
  assert.deepEqual(heading(item("<pad>", true)), { text: "pad", quiet: "mark" });
  assert.deepEqual(heading(item("</s>")), { text: "</s>", quiet: null });
});

test("a piece with a space before it is shown without", () => {
  assert.equal(heading(item(" house")).text, "house");
});

test("sentences name a piece so that it can be read aloud", () => {
  assert.equal(named(item("7")), "“7”");
  assert.equal(named(item(" ")), "a space");
  assert.equal(named(item("</s>", true)), "the end token");
});

test("a right-to-left piece is isolated, so that the numbers after it stay in place", () => {
  assert.equal(named(item("שלום")), "“\u2068שלום\u2069”");
});

test("numbers are as exact as they are useful", () => {
  assert.deepEqual([1, 0.99951, 0.998, 0.5, 0.0004, 0].map(percent), [
    "100\u00a0%",
    "100\u00a0%",
    "99.8\u00a0%",
    "50.0\u00a0%",
    "< 0.1\u00a0%",
    "< 0.1\u00a0%",
  ]);
  assert.deepEqual([1, 0.914, 0.004, 0].map(weight), ["1.00", "0.91", "< 0.01", "0.00"]);
});

test("a minus is a minus sign, and zero has none", () => {
  assert.deepEqual(
    [signed(-1.234, 2), signed(-0.001, 2), signed(0.5, 1)],
    ["−1.23", "0.00", "0.5"],
  );
});
