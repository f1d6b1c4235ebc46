import assert from "node:assert/strict";
import { test } from "node:test";

import { cellNumbers } from "../../../static/js/core/cell_numbers.js";
import { DARK, LIGHT, contrast } from "../../../static/js/core/colours.js";
import { heatmapOf } from "../../../static/js/core/heatmap.js";

/** @type {any} */
const LINEAR = { scale: "whole", log: false };

test("a cell has its weight in two decimals, unless that would be 0.00", () => {
  const numbers = cellNumbers(
    [
      [0.004, 0.996],
      [0.5, 0.5],
    ],
    { ...LINEAR, palette: LIGHT },
  );
  assert.deepEqual(
    numbers.map(({ row, column, text }) => [row, column, text]),
    [
      [0, 1, "1.00"],
      [1, 0, "0.50"],
      [1, 1, "0.50"],
    ],
  );
});

test("every number can be read on its cell, in both themes and on all scales", () => {
  const weights = [Array.from({ length: 101 }, (_, at) => at / 100)];
  for (const palette of [LIGHT, DARK]) {
    for (const scale of ["whole", "row"]) {
      for (const log of [false, true]) {
        /** @type {any} */
        const how = { scale, log, palette };
        const { colourAt } = heatmapOf(weights, how);
        for (const { row, column, ink } of cellNumbers(weights, how))
          assert.ok(contrast(ink, colourAt(row, column)) >= 4.5, `${palette.name} ${column}`);
      }
    }
  }
});
