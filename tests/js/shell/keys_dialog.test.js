import assert from "node:assert/strict";
import { test } from "node:test";

import { KEYS } from "../../../static/js/core/keys.js";
import { GROUPS } from "../../../static/js/shell/keys_dialog.js";

test("every key that a page has is in the list, with what it does", () => {
  for (const { title, keys, does } of GROUPS)
    for (const [key, action] of Object.entries(keys))
      assert.ok(does[action], `${title}: ${key} does ${action}`);
  for (const keys of Object.values(KEYS)) assert.ok(GROUPS.some((group) => group.keys === keys));
});
