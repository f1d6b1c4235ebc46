import assert from "node:assert/strict";
import { test } from "node:test";

import { headed, label, said, short, wrapped } from "../../../static/js/draw/type.js";
import { partial } from "../traces.js";

/** @returns {any} */
const measure = (text, { size }) => Array.from(text).length * size;
const face = { size: 10 };

test("a text that is too long is cut, and says so", () => {
  assert.equal(short("abcdef", face, 60, measure), "abcdef");
  assert.equal(short("abcdef", face, 59, measure), "abcd…");
  assert.equal(short("🎉🎉🎉", face, 25, measure), "🎉…");
});

test("lines break between words, within a word only where they must, and end after the last one allowed", () => {
  assert.deepEqual(wrapped("the red house", face, 80, measure), ["the red", "house"]);
  assert.deepEqual(wrapped("donaudampf", face, 40, measure), ["dona", "udam", "pf"]);
  assert.deepEqual(wrapped("a b c d e f", face, 30, measure, 2), ["a b", "c…"]);
  assert.deepEqual(wrapped("", face, 30, measure), [""]);
});

test("no line is wider than its room", () => {
  /** @type {any} */
  const text = "The white house belongs to my old friend, donaudampfschifffahrtsgesellschaft";
  for (let room = 40; room < 400; room += 13) {
    for (const each of wrapped(text, face, room, measure))
      assert.ok(measure(each, face) <= room, `${each} in ${room}`);
  }
});

test("a text from right to left keeps to the same side of its place", () => {
  const left = label("abc", face, { x: 5, y: 5 });
  const right = label("שלום", face, { x: 5, y: 5 });
  const middle = label("שלום", face, { x: 5, y: 5, anchor: "middle" });
  assert.deepEqual([left.attributes["text-anchor"], left.attributes.direction], [null, null]);
  assert.deepEqual([right.attributes["text-anchor"], right.attributes.direction], ["end", "rtl"]);
  assert.equal(middle.attributes["text-anchor"], "middle");
});

test("words that differ are underlined within their line", () => {
  const text = [{ text: "la ", underlined: true }, { text: "maison" }];
  const [first, other] = label(text, face, { x: 0, y: 0 }).children ?? [];
  assert.equal(first.attributes["text-decoration"], "underline");
  assert.equal(other.attributes["text-decoration"], null);
});

test("a mark is named quietly, and what leaves no ink gets a sign", () => {
  assert.equal(headed(partial({ text: "</s>", special: true }), 10, 99, measure).text, "⟨end⟩");
  assert.equal(headed(partial({ text: " ", special: false }), 10, 99, measure).text, "␣");
  assert.equal(said("a\u00a0b\u0007"), "a b␇");
});
