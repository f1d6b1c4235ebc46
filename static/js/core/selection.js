/** Rows and columns that are held: their sums are told. Held are tokens, so other units find them again. Pure. */

/** @import {Item} from "./types" */

/** Which items have a held token. @param {Item[]} items @param {number[]} held */
export function heldAmong(items, held) {
  return items.flatMap((item, index) => (item.tokens.some((token) => held.includes(token)) ? [index] : []));
}

/** An item more, or one less. @param {number[]} held @param {Item} item */
export function toggled(held, item) {
  const others = held.filter((token) => !item.tokens.includes(token));
  return others.length < held.length ? others : [...held, item.tokens[0]].sort((a, b) => a - b);
}

/** What each row gives to the held columns together. @param {number[][]} weights @param {number[]} columns */
export function sumsOfRows(weights, columns) {
  return weights.map((row) => columns.reduce((sum, column) => sum + row[column], 0));
}

/** What each column is given by the held rows together. @param {number[][]} weights @param {number[]} rows */
export function sumsOfColumns(weights, rows) {
  return (weights[0] ?? []).map((_, column) => rows.reduce((sum, row) => sum + weights[row][column], 0));
}
