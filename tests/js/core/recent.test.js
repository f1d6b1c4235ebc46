import assert from "node:assert/strict";
import { test } from "node:test";

import { Recent } from "../../../static/js/core/recent.js";
import { textsOf } from "../kept_texts.js";

test("the newest come first, each once, and only a few", () => {
  const recent = new Recent(textsOf());
  for (const text of ["a", "b", "a", "c", "d", "e", "f", "g"]) recent.add(text);
  assert.deepEqual(recent.list(), ["g", "f", "e", "d", "c", "a"]);
});

test("nothing and far too much are not kept", () => {
  const recent = new Recent(textsOf());
  recent.add("  ");
  recent.add("x".repeat(201));
  assert.deepEqual(recent.list(), []);
});

test("recent texts can be cleared", () => {
  const held = textsOf();
  const recent = new Recent(held);
  recent.add("a");
  recent.forget();
  assert.deepEqual([recent.list(), held.values], [[], {}]);
});

test("a store that is forbidden or invalid has no sentences", () => {
  assert.deepEqual(new Recent(null).list(), []);
  for (const odd of ["{", "7", '[1, "a"]']) {
    assert.ok(
      new Recent(textsOf({ "heed-recent": odd })).list().every((text) => typeof text === "string"),
    );
  }
});
