import assert from "node:assert/strict";
import { test } from "node:test";

import { DeletionKeys } from "../../../static/js/core/deletion_keys.js";
import { textsOf } from "../kept_texts.js";

const one = { key: "secret", expires: "2030-01-01T00:00:00Z" };

test("a key is there when the page is opened again, until it is removed", () => {
  const store = textsOf();
  new DeletionKeys(store).add("a", one);
  const later = new DeletionKeys(store);
  assert.deepEqual(later.of("a"), one);
  assert.equal(later.of("b"), null);
  later.remove("a");
  assert.equal(new DeletionKeys(store).of("a"), null);
});

test("where storage is forbidden a key lasts as long as the page", () => {
  const keys = new DeletionKeys(null);
  keys.add("a", one);
  assert.deepEqual(keys.of("a"), one);
  keys.remove("a");
  assert.equal(keys.of("a"), null);
});

test("a value written by another program is not a key", () => {
  for (const text of ["no JSON", "[]", "null", "5", '{"a": 1, "b": {"key": 5}, "c": null}']) {
    const keys = new DeletionKeys(textsOf({ "heed-keys": text }));
    for (const id of ["a", "b", "c", "__proto__"]) assert.equal(keys.of(id)?.key, undefined, text);
    keys.add("d", one);
    assert.deepEqual(keys.of("d"), one);
  }
});

test("with very many, the oldest are forgotten first", () => {
  const store = textsOf();
  const keys = new DeletionKeys(store);
  for (let i = 0; i < 600; i++) keys.add(`id${i}`, one);
  assert.equal(new DeletionKeys(store).of("id0"), null);
  assert.deepEqual(new DeletionKeys(store).of("id599"), one);
});
