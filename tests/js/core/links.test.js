import assert from "node:assert/strict";
import { test } from "node:test";

import {
  linksText,
  parseLinks,
  parsePairs,
  toggled,
  wordsOf,
} from "../../../static/js/core/links.js";
import { axis } from "../traces.js";

test("links are pairs of numbers, and nothing else", () => {
  assert.deepEqual(parseLinks(" 0-0  2-1\n"), [
    [0, 0],
    [2, 1],
  ]);
  assert.deepEqual(parseLinks(""), []);
  for (const wrong of ["0", "0-", "a-b", "0-1,2-3", "-1-0", "0–0"])
    assert.equal(parseLinks(wrong), null, wrong);
});

test("links are written in the order of the output", () => {
  assert.equal(linksText(parseLinks("3-2 1-0 0-0")), "0-0 1-0 3-2");
});

test("a link is added, and removed again", () => {
  const made = toggled([[0, 0]], [1, 0]);
  assert.equal(linksText(made), "0-0 1-0");
  assert.equal(linksText(toggled(made, [0, 0])), "1-0");
});

test("words between spaces have their tokens, without marks, whatever the characters are", () => {
  const words = wordsOf(axis([["🎉"], ["un", "like"], ["this"]]));
  assert.deepEqual(words, [
    { text: "🎉", tokens: [0] },
    { text: "unlike", tokens: [1, 2] },
    { text: "this", tokens: [3] },
  ]);
});

test("a file has a pair on each line", () => {
  const [pair, ...more] = parsePairs("\ufeffone two\tun deux\t0-0 1-1\r\n\n");
  assert.deepEqual(
    [pair.text, pair.target, pair.links, more.length],
    ["one two", "un deux", "0-0 1-1", 0],
  );
  for (const wrong of ["", "one\tun", "one\tun\tx", "one\t\t0-0", "one\tun\t0-0\tmore"])
    assert.equal(parsePairs(wrong), null, wrong);
});
