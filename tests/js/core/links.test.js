import assert from "node:assert/strict";
import { test } from "node:test";

import {
  linksText,
  parseLinks,
  parsePairs,
  pressed,
  withLinks,
  wordsOf,
} from "../../../static/js/core/links.js";
import { axis, trace } from "../traces.js";

test("links are pairs of numbers, and nothing else", () => {
  assert.deepEqual(parseLinks(" 0-0  2-1\n"), [
    [0, 0],
    [2, 1],
  ]);
  assert.deepEqual(parseLinks(""), []);
  for (const wrong of ["0", "0-", "a-b", "0-1,2-3", "-1-0", "0–0"])
    assert.equal(parseLinks(wrong), null, wrong);
});

test("a possible link has another sign", () => {
  assert.deepEqual(parseLinks("0-0 2?1"), [
    [0, 0],
    [2, 1, "?"],
  ]);
  assert.equal(linksText(parseLinks("2?1 0-0")), "0-0 2?1");
});

test("links are written in the order of the output", () => {
  assert.equal(linksText(parseLinks("3-2 1-0 0-0")), "0-0 1-0 3-2");
});

test("a press makes a link sure, then possible, then none", () => {
  const states = [[]];
  for (const _ of [1, 2, 3]) states.push(pressed(states.at(-1), [1, 0]));
  assert.deepEqual(states.map(linksText), ["", "1-0", "1?0", ""]);
  assert.equal(linksText(pressed(parseLinks("0-0 1-0"), [0, 0])), "0?0 1-0");
});

test("a trace for a file has the links on screen, if they fit its texts", () => {
  const made = trace({ source: axis([["a"], ["b"]]), target: axis([["c"]], "mean"), links: "0-0" });
  assert.equal(withLinks(made, { links: "1?0 0-0", pick: 0 }).links, "0-0 1?0");
  for (const wrong of [null, "", "a-b", "2-0"])
    assert.ok(!("links" in withLinks(made, { links: wrong, pick: 0 })), String(wrong));
  assert.ok(!("links" in withLinks(made, { links: "0-0", pick: 1 })), "those of another output");
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
