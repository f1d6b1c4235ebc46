import assert from "node:assert/strict";
import { test } from "node:test";

import { widthOf } from "../../../static/js/shell/paper_choices.js";

test("the width of a figure has bounds, and may be left open", () => {
  assert.deepEqual([NaN, 0, -5].map(widthOf), [null, null, null]);
  assert.deepEqual([1, 85, 1e9].map(widthOf), [30, 85, 500]);
});
