import assert from "node:assert/strict";
import { test } from "node:test";

import { colour, contrast } from "../../../static/js/core/colours.js";
import { paletteOf } from "../../../static/js/draw/ink.js";
import { partial } from "../traces.js";

for (const colours of /** @type {const} */ (["blue", "brown", "grey"]))
  test(`the ${colours} scale of figures only becomes darker, so grey prints keep its order`, () => {
    const palette = paletteOf({ paper: partial({ colours }) });
    const against = Array.from({ length: 21 }, (_, at) =>
      contrast("#ffffff", colour(palette, at / 20)),
    );
    for (const [at, each] of against.entries()) assert.ok(at === 0 || each > against[at - 1]);
    assert.equal(against[0], 1);
    assert.ok(against[20] > 7);
  });
