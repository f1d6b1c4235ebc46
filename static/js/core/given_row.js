/** A row of one model's map, given to a row of another's: the edit of the run that takes it. Pure. */

/** @import {Edit} from "./types" */
/** @import {EditedMap, EditedScene, Place} from "./edit_list.js" */

import { inRow, refusalOf } from "./edit_list.js";

/** A row of a map on screen. @typedef {{scene: EditedScene, row: number}} ShownRow */

/** Digits of a weight, so that an address has room for it. */
const DIGITS = 3;

/** The reason why a row does not fit another; empty if it does. @param {EditedScene} from @param {EditedScene} to */
export function givenRefusal(from, to) {
  const refusal = refusalOf(to);
  if (refusal) return refusal;
  const [given, taken] = [from, to].map(keysOf);
  if (!given || !taken)
    return "The keys of this map are words that each model wrote, so a row of another does not fit it.";
  if (given.length !== taken.length)
    return `The row has ${given.length} weights, but the other map has ${taken.length} keys: the models cut the input into other pieces.`;
  return given.every((text, key) => text === taken[key])
    ? ""
    : "The models cut the input into other pieces, so a weight would come to another key.";
}

/** Names of the keys of a map that attends to the input, its tokens or its cells; null for another. @param {EditedScene} scene @returns {string[] | null} */
function keysOf({ picked, trace: { source } }) {
  if (picked?.key !== "source") return null;
  if (source.kind === "tokens")
    return source.tokens.map((/** @type {{text: string}} */ { text }) => text);
  const { rows, columns, left, top, width, height } = source;
  return Array.from({ length: rows * columns }, (_, cell) =>
    [cell, columns, left, top, width, height].join(" "),
  );
}

/**
 * The weights of a row for each key. A word in several pieces has the mean of their rows, as the map shows it.
 * @param {ShownRow} shown
 */
export function givenWeights({ scene: { picked, view }, row }) {
  const { tokens } = view.rows[row];
  const rows = tokens.map((token) => /** @type {EditedMap} */ (picked).weights[token]);
  return rows[0].map((_, key) => {
    const mean = rows.reduce((sum, weights) => sum + weights[key], 0) / rows.length;
    return Number(mean.toPrecision(DIGITS));
  });
}

/** The edits with a row that is given; the one that its place had before is replaced. @param {readonly Edit[]} edits @param {Place} place @param {number[]} weights @returns {Edit[]} */
export const withRow = (edits, place, weights) => [
  ...edits.filter((edit) => !(edit.op === "row" && inRow(edit, place))),
  { op: "row", ...place, weights },
];

/** The edits that each of several compared models runs under: a row that was given is that of one. @param {readonly Edit[]} edits @returns {Edit[]} */
export const withoutRows = (edits) => edits.filter(({ op }) => op !== "row");
