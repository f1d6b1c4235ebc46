/** Edits of the map of the text that a person typed: of a cell, of a letter in all steps, of a step. Pure. */

/** @import {Edit} from "../../core/types" */
/** @import {RowEdit} from "../../core/edits.js" */

export const MOST = 100;

/** @param {Edit} one @param {Edit} other */
const same = (one, other) =>
  one.op === other.op && one.keys === other.keys && one.queries === other.queries;

/** The edits with another one, or without it if it is there. @param {readonly Edit[]} edits @param {Edit} edit @returns {readonly Edit[]} */
export function toggled(edits, edit) {
  const others = edits.filter((each) => !same(each, edit));
  return others.length < edits.length ? others : [...others, edit].slice(0, MOST);
}

/** The edits of the row of a step. @param {readonly Edit[]} edits @param {number} step @returns {RowEdit[]} */
export const rowEdits = (edits, step) =>
  edits
    .filter(({ queries }) => queries === undefined || queries === step)
    .map(({ op, keys }) => ({ op, keys: typeof keys === "number" ? [keys] : [] }));

/** True for a cell that gets no weight by an edit of its own. @param {readonly Edit[]} edits @param {number} step @param {number} key */
export const isBlocked = (edits, step, key) =>
  rowEdits(edits, step).some(({ op, keys = [] }) => {
    const named = [...keys].includes(key);
    return op === "block" ? named : op === "only" && !named;
  });

/** The name of an edit. @param {Edit} edit @param {readonly string[]} letters of the text, and its end */
export function nameOf({ op, keys, queries }, letters) {
  const letter = `“${letters[Number(keys)] ?? "?"}”`;
  const what = { block: `block ${letter}`, only: `only ${letter}` }[op === "only" ? op : "block"];
  const where = queries === undefined ? "in all steps" : `in step ${Number(queries) + 1}`;
  return `${op === "uniform" ? "equal weights" : what} ${where}`;
}
