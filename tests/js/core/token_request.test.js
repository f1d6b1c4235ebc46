import assert from "node:assert/strict";
import { test } from "node:test";

import { carriedText, passingBody, requestBody } from "../../../static/js/core/token_request.js";
import { DEFAULTS, sameRequest } from "../../../static/js/core/state.js";
import { model, partial } from "../traces.js";

test("another view is not another request", () => {
  assert.ok(
    sameRequest(DEFAULTS, { ...DEFAULTS, step: 4, scale: "row", units: "words", head: 2, pick: 1 }),
  );
  for (const change of [
    { text: "x" },
    { model: "m" },
    { target: "" },
    { search: "beam" },
    { beam: 2 },
    { seed: 3 },
    { temperature: 2 },
  ]) {
    assert.ok(!sameRequest(DEFAULTS, partial({ ...DEFAULTS, ...change })), JSON.stringify(change));
  }
});

test("the request says what was set and nothing else", () => {
  const toy = model();
  assert.deepEqual(requestBody({ ...DEFAULTS }, toy), { text: "the third of may", model: "toy" });
  assert.deepEqual(requestBody({ ...DEFAULTS, text: "" }, toy), { text: "", model: "toy" });
  assert.deepEqual(requestBody({ ...DEFAULTS, search: "beam", beam: 3 }, toy).search, {
    kind: "beam",
    beam: 3,
    length_penalty: 1,
  });
  assert.deepEqual(requestBody({ ...DEFAULTS, search: "sample", seed: 9 }, toy).search, {
    kind: "sample",
    seed: 9,
    temperature: 1,
  });
});

test("vectors of self-attention are asked for where a head of it is taken apart", () => {
  const heads = model({ mechanism: "multihead" });
  const asked = (change, card = heads) =>
    requestBody({ ...DEFAULTS, view: "step", map: "encoder-self", ...change }, card).vectors;
  assert.equal(asked({}), "all");
  assert.equal(asked({ map: "decoder-self", target: "y" }), "all");
  for (const change of [{ view: "map" }, { map: "cross" }, { map: null }, { pool: "mean" }])
    assert.equal(asked(change), undefined, JSON.stringify(change));
  assert.equal(asked({}, model()), undefined);
});

test("an answer that the next one replaces has what the map shows", () => {
  const asked = (change) => passingBody({ ...DEFAULTS, ...change }, model());
  assert.equal(asked({ view: "map" }).detail, "weights");
  for (const change of [{ view: "step" }, { view: "map", show: ["numbers"] }])
    assert.deepEqual(asked(change), requestBody({ ...DEFAULTS, ...change }, model()));
});

test("a given output leaves nothing to search", () => {
  const body = requestBody({ ...DEFAULTS, text: "x", target: "y", search: "beam" }, model());
  assert.deepEqual(body, { text: "x", model: "toy", target: "y" });
});

test("the sentence is kept when the model is switched", () => {
  const [dates, dot] = [model(), model({ id: "dot" })];
  const german = model({ id: "de", task: "translation", examples: ["the cat"] });
  assert.equal(carriedText("my own words", dates, german), "my own words");
  assert.equal(carriedText("today", dates, dot), "today");
  assert.equal(carriedText("today", dates, german), "the cat");
  assert.equal(carriedText("today", dates, model({ task: "other", examples: [] })), "today");
  const reads = model({ id: "de-en", source: { code: "de", name: "German" }, examples: ["heute"] });
  assert.equal(carriedText("today", dates, reads), "heute");
  assert.equal(carriedText("my own words", dates, reads), "my own words");
});
