import assert from "node:assert/strict";
import { test } from "node:test";

import { Stored, storage } from "../../../static/js/core/stored.js";
import { textsOf } from "../kept_texts.js";

test("a text is kept under its key until it is removed", () => {
  const store = textsOf();
  const stored = new Stored("a", store);
  assert.equal(stored.text, null);
  assert.equal(stored.keep('{"b": 1}'), true);
  assert.deepEqual(new Stored("a", store).json, { b: 1 });
  assert.equal(new Stored("b", store).text, null);
  stored.keep(null);
  assert.equal(stored.text, null);
});

test("a store that is full or forbidden keeps nothing, and causes no error", () => {
  const refuse = () => {
    throw new Error("refused");
  };
  for (const store of [null, { getItem: refuse, setItem: refuse, removeItem: refuse }]) {
    const stored = new Stored("a", store);
    assert.equal(stored.keep("b"), false);
    assert.equal(stored.keep(null), false);
    assert.deepEqual([stored.text, stored.json], [null, null]);
  }
});

test("what another program has written is no value", () => {
  for (const odd of ["{", "", "undefined"])
    assert.equal(new Stored("a", textsOf({ a: odd })).json, null, odd);
});

test("a browser that forbids its store has none", () => {
  const own = Object.getOwnPropertyDescriptor(globalThis, "sessionStorage");
  Object.defineProperty(globalThis, "sessionStorage", {
    configurable: true,
    get() {
      throw new Error("forbidden");
    },
  });
  assert.equal(storage("sessionStorage"), null);
  delete globalThis.sessionStorage;
  if (own) Object.defineProperty(globalThis, "sessionStorage", own);
});
