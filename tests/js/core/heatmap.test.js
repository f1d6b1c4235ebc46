import assert from "node:assert/strict";
import { test } from "node:test";

import { DARK, LIGHT, colour, divergent } from "../../../static/js/core/colours.js";
import { differenceOf, heatmapOf, positions } from "../../../static/js/core/heatmap.js";
import { partial } from "../traces.js";

test("scaled for the whole, only the largest weight has the strongest colour", () => {
  assert.deepEqual(
    positions(
      [
        [0.2, 0.4],
        [0.8, 0],
      ],
      "whole",
    ),
    [
      [0.25, 0.5],
      [1, 0],
    ],
  );
});

test("scaled per row, every row has its own strongest", () => {
  assert.deepEqual(
    positions(
      [
        [0.2, 0.4],
        [0.8, 0],
      ],
      "row",
    ),
    [
      [0.5, 1],
      [1, 0],
    ],
  );
});

test("a logarithmic scale distinguishes small weights, and 0 stays 0", () => {
  const [[one, tenth, tiny, less, none]] = positions([[1, 0.1, 0.001, 1e-9, 0]], "whole", true);
  assert.equal(one, 1);
  assert.ok(Math.abs(tenth - 2 / 3) < 1e-12);
  for (const value of [tiny, less, none]) assert.ok(value >= 0 && value < 1e-12);
  assert.deepEqual(
    positions([[0.5, 0.05]], "row", true)[0].map((value) => value.toFixed(3)),
    ["1.000", "0.667"],
  );
});

test("a row of zeros stays a row of zeros", () => {
  assert.deepEqual(
    positions(
      [
        [0, 0],
        [0, 0],
      ],
      "row",
    ),
    [
      [0, 0],
      [0, 0],
    ],
  );
  assert.deepEqual(positions([[0, 0]], "whole"), [[0, 0]]);
  assert.deepEqual(positions([], "whole"), []);
});

test("every cell has the colour of its position, and a difference that of its sign", () => {
  /** @type {any} */
  const weights = [
    [0.2, 0.4],
    [0.8, 0],
  ];
  for (const palette of [LIGHT, DARK]) {
    for (const scale of ["row", "whole"]) {
      for (const log of [false, true]) {
        /** @type {any} */
        const heat = heatmapOf(weights, partial({ scale, log, palette }));
        /** @type {any} */
        const placed = positions(weights, partial(scale), log);
        assert.deepEqual(heat.positions, placed);
        placed.forEach((row, i) =>
          row.forEach((value, j) => assert.equal(heat.colourAt(i, j), colour(palette, value))),
        );
      }
    }
    const apart = differenceOf([[0.5, -0.25]], palette);
    assert.equal(apart.most, 0.5);
    assert.deepEqual(
      [apart.colourAt(0, 0), apart.colourAt(0, 1)],
      [divergent(palette, 1), divergent(palette, -0.5)],
    );
  }
});
