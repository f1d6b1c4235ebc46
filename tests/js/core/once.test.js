import assert from "node:assert/strict";
import { test } from "node:test";

import { once } from "../../../static/js/core/once.js";

test("a part is loaded once, and again after a failure", async () => {
  let calls = 0;
  let fails = true;
  const load = once(async () => {
    calls++;
    if (fails) throw new Error("no network");
    return "part";
  });
  await assert.rejects(load(), /no network/);
  fails = false;
  assert.deepEqual(await Promise.all([load(), load()]), ["part", "part"]);
  assert.equal(calls, 2);
});
