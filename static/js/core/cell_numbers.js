/** The numbers in the cells of a map, each in an ink that can be read on the colour of its cell. Pure. */

/** @import {Palette, Scale} from "./types" */

import { inkOn } from "./colours.js";
import { heatmapOf } from "./heatmap.js";

/** Up to this position on the scale a cell is as pale as the page, and takes the quiet ink. */
const PALE = 1 / 6;
/** Smaller weights would be 0.00, and their cells stay empty. */
const SMALLEST = 0.005;

/** @typedef {{row: number, column: number, text: string, ink: string}} CellNumber */

/**
 * The weights that two decimals can show.
 * @param {number[][]} weights @param {{scale: Scale, log: boolean, palette: Palette}} how
 * @returns {CellNumber[]}
 */
export function cellNumbers(weights, how) {
  const { positions, colourAt } = heatmapOf(weights, how);
  return weights.flatMap((line, row) =>
    line.flatMap((weight, column) => {
      if (weight < SMALLEST) return [];
      const pale = positions[row][column] <= PALE;
      const ink = pale ? how.palette.soft : inkOn(colourAt(row, column));
      return [{ row, column, text: weight.toFixed(2), ink }];
    }),
  );
}
