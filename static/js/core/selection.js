/** Selected rows and columns, whose sums are shown. Tokens are selected, so that other units find them again. Pure. */

/** @import {Item, MapScene, Settings} from "./types" */

/** The items that have a selected token. @param {Item[]} items @param {number[]} tokens */
export function selectedAmong(items, tokens) {
  return items.flatMap((item, index) =>
    item.tokens.some((token) => tokens.includes(token)) ? [index] : [],
  );
}

/** The tokens with an item added or, if it was selected, removed. @param {number[]} tokens @param {Item} item */
export function toggled(tokens, item) {
  const others = tokens.filter((token) => !item.tokens.includes(token));
  return others.length < tokens.length ? others : [...tokens, item.tokens[0]].sort((a, b) => a - b);
}

/**
 * The change that selects a row or a column of the scene, or clears it.
 * @param {Pick<Settings, "rows" | "columns">} settings @param {Pick<MapScene, "view">} scene @param {"rows" | "columns"} axis @param {number} index
 * @returns {Partial<Pick<Settings, "rows" | "columns">>}
 */
export const toggledIn = (settings, { view }, axis, index) => ({
  [axis]: toggled(settings[axis], view[axis][index]),
});

/** The sum of the selected columns in each row. @param {number[][]} weights @param {number[]} columns */
export function sumsOfRows(weights, columns) {
  return weights.map((row) => columns.reduce((sum, column) => sum + row[column], 0));
}

/** The sum of the selected rows in each column. @param {number[][]} weights @param {number[]} rows */
export function sumsOfColumns(weights, rows) {
  return (weights[0] ?? []).map((_, column) =>
    rows.reduce((sum, row) => sum + weights[row][column], 0),
  );
}
