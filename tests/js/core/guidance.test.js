import assert from "node:assert/strict";
import { test } from "node:test";

import { counterpartOf } from "../../../static/js/core/guidance.js";
import { model } from "../traces.js";

const guided = model({ id: "guided", unguided: "free" });
const free = model({ id: "free" });
const other = model({ id: "other" });

test("a guided model and its unguided counterpart find each other", () => {
  assert.equal(counterpartOf([other, guided, free], guided), free);
  assert.equal(counterpartOf([other, guided, free], free), guided);
});

test("a model without a counterpart, or whose counterpart is not installed, has none", () => {
  assert.equal(counterpartOf([guided, free, other], other), null);
  assert.equal(counterpartOf([guided, other], guided), null);
});
