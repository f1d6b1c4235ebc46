import assert from "node:assert/strict";
import { test } from "node:test";

import { Recent } from "../../../static/js/core/recent.js";

function store(values = {}) {
  return {
    values,
    getItem: (key) => values[key] ?? null,
    setItem: (key, value) => (values[key] = value),
    removeItem: (key) => delete values[key],
  };
}

test("the newest come first, each once, and only a few", () => {
  const recent = new Recent(store());
  for (const text of ["a", "b", "a", "c", "d", "e", "f", "g"]) recent.add(text);
  assert.deepEqual(recent.list(), ["g", "f", "e", "d", "c", "a"]);
});

test("nothing and far too much are not kept", () => {
  const recent = new Recent(store());
  recent.add("  ");
  recent.add("x".repeat(201));
  assert.deepEqual(recent.list(), []);
});

test("what was kept is forgotten when asked to", () => {
  const held = store();
  const recent = new Recent(held);
  recent.add("a");
  recent.forget();
  assert.deepEqual([recent.list(), held.values], [[], {}]);
});

test("a store that is full, forbidden or somebody else's harms nothing", () => {
  const refuse = () => {
    throw new Error("refused");
  };
  const recent = new Recent({ getItem: refuse, setItem: refuse, removeItem: refuse });
  recent.add("a");
  recent.forget();
  assert.deepEqual(recent.list(), []);
  assert.deepEqual(new Recent(null).list(), []);
  for (const odd of ["{", "7", '[1, "a"]']) {
    assert.ok(
      new Recent(store({ "heed-recent": odd })).list().every((text) => typeof text === "string"),
    );
  }
});
