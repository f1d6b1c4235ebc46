import assert from "node:assert/strict";
import { test } from "node:test";

import { stagesOf } from "../../../../static/js/views/compare/stages.js";

/** @returns {any} */
const card = (id, change = {}) => ({
  id,
  task: "translate",
  mechanism: "additive",
  source: { code: "en" },
  target: { code: "fr" },
  limits: { characters: 600 },
  ...change,
});
/** @type {any} */
const none = card("none", { mechanism: "none" });

test("there are sentences to compare where a model without attention translates them", () => {
  const stages = stagesOf(card("additive"), [card("additive"), none]);
  assert.equal(stages.length, 2);
  assert.ok(stages[1].text.split(" ").length > 30);
  assert.deepEqual(stagesOf(none, [card("additive"), none]), stages);
});

test("there are none for other models, other languages and other tasks", () => {
  /** @type {any} */
  const additive = card("additive");
  assert.deepEqual(stagesOf(additive, [additive, card("dot")]), []);
  assert.deepEqual(stagesOf(none, [none]), []);
  /** @type {any} */
  const german = [card("a", { source: { code: "de" } }), { ...none, source: { code: "de" } }];
  assert.deepEqual(stagesOf(german[0], german), []);
  /** @type {any} */
  const dates = [card("a", { task: "dates" }), { ...none, task: "dates" }];
  assert.deepEqual(stagesOf(dates[0], dates), []);
});

test("a sentence that is too long for the model is left out", () => {
  /** @type {any} */
  const brief = card("additive", { limits: { characters: 100 } });
  assert.equal(stagesOf(brief, [brief, none]).length, 1);
});
