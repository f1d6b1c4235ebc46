/** Edits over a photo: what a brush adds to those of a row of cells. Pure. */

/** @import {Edit, GridAxis, Item, PatchScene, PictureScene} from "./types" */
/** @import {EditedScene, EditedTrace, Place} from "./edit_list.js" */

import { inRow, isIn, keysOf, placesOf, withWeight } from "./edit_list.js";
import { rowAndColumn } from "./grid.js";
import { cellItems, gateOf } from "./grid_scene.js";

/**
 * The cells that edits change in a row, by the indices of their keys: some together have a weight,
 * others none. Cells are counted from the first one, whose key is `first`; an edit of a key before
 * it, as of the class token, is none of the brush.
 * @typedef {{keys: number[], weight: number | null, blocked: number[], first: number}} Brushed
 */

/** The cells of photos as columns: they are asked for several times in each frame of a stroke. @type {WeakMap<GridAxis, Item[]>} */
const COLUMNS = new WeakMap();

/** @param {GridAxis} source */
function columnsOf(source) {
  const known = COLUMNS.get(source);
  if (known) return known;
  const made = cellItems(source).map((item, cell) => ({
    ...item,
    text: rowAndColumn(source, cell),
  }));
  COLUMNS.set(source, made);
  return made;
}

/** A scene over a photo as one of a map, with its cells as columns. @param {PictureScene | PatchScene} scene @returns {EditedScene} */
export function sceneOfCells(scene) {
  const { source, picture } = scene.trace;
  const columns = columnsOf(source);
  const { weights, rows } = scene;
  const view = { weights, rows, columns, columnText: "", rowAxis: "target" };
  const made = { ...scene, view: { ...view, photo: { source, picture } }, units: "words" };
  return /** @type {EditedScene} */ (/** @type {unknown} */ (made));
}

/** @param {readonly Edit[]} edits @param {Place} row @param {EditedTrace} trace @param {number} count of the cells @returns {Brushed} */
export function brushedIn(edits, row, trace, count) {
  const first = trace.source.marks?.length ?? 0;
  const cellsOf = (/** @type {Edit} */ edit) =>
    keysOf(edit, trace, count + first).map((key) => key - first);
  const set = weightIn(edits, row, first);
  const blocks = edits.filter((edit) => isOfCells(edit, "block", row, first));
  return {
    keys: set ? cellsOf(set) : [],
    weight: set?.weight ?? null,
    blocked: [...new Set(blocks.flatMap(cellsOf))],
    first,
  };
}

/** The edit that gives cells of a row their weight: the last one has the last word. @param {readonly Edit[]} edits @param {Place} row @param {number} first */
const weightIn = (edits, row, first) =>
  edits.filter((edit) => isOfCells(edit, "set", row, first)).pop();

/** True for an edit of this kind that changes cells alone. @param {Edit} edit @param {Edit["op"]} op @param {Place} row @param {number} first the key of the first cell */
function isOfCells(edit, op, row, first) {
  if (edit.op !== op || !inRow(edit, row)) return false;
  const { keys } = edit;
  return keys === undefined || ![...Array(first).keys()].some((mark) => isIn(keys, mark));
}

/** The edits with those of a row as they are brushed. @param {readonly Edit[]} edits @param {Place} row @param {Brushed} brushed @returns {Edit[]} */
export function withBrushed(edits, row, { keys, weight, blocked, first }) {
  const set = weightIn(edits, row, first);
  const others = edits.filter((edit) => edit !== set && !isOfCells(edit, "block", row, first));
  // The block is first, so that the weight is that of the cells in the end.
  return [
    ...others,
    ...(blocked.length
      ? [/** @type {Edit} */ ({ op: "block", ...row, keys: sorted(blocked, first) })]
      : []),
    ...(keys.length && weight !== null
      ? [/** @type {Edit} */ ({ op: "set", ...row, keys: sorted(keys, first), weight })]
      : []),
  ];
}

/** @param {number[]} cells @param {number} first the key of the first cell */
const sorted = (cells, first) => placesOf(cells.map((cell) => cell + first).sort((a, b) => a - b));

/** With more cells. @param {Brushed} brushed @param {number[]} more @param {number | null} weight of all that are brushed; null: these are blocked @returns {Brushed} */
export function brushedMore({ keys, weight: before, blocked, first }, more, weight) {
  const others = (/** @type {number[]} */ all) => all.filter((key) => !more.includes(key));
  return weight === null
    ? { keys: others(keys), weight: before, blocked: [...others(blocked), ...more], first }
    : { keys: [...others(keys), ...more], weight, blocked: others(blocked), first };
}

/** With a cell that is blocked, or not any more. @param {Brushed} brushed @param {number} key @returns {Brushed} */
export const pressedIn = (brushed, key) =>
  brushed.blocked.includes(key)
    ? { ...brushed, blocked: brushed.blocked.filter((each) => each !== key) }
    : brushedMore(brushed, [key], null);

/**
 * The weight of a cell; if it is brushed with others, that of all of them.
 * @param {readonly Edit[]} edits @param {Place} row @param {Brushed} brushed @param {number} key @param {number} weight @returns {Edit[]}
 */
export function withCell(edits, row, brushed, key, weight) {
  if (brushed.keys.includes(key) || !brushed.keys.length)
    return withBrushed(edits, row, brushedMore(brushed, [key], weight));
  const blocked = brushed.blocked.filter((each) => each !== key);
  return withWeight(
    withBrushed(edits, row, { ...brushed, blocked }),
    { ...row, keys: key + brushed.first },
    weight,
  );
}

/** The gate β of a row: as edited, else as the trace has it; null without one. @param {PictureScene} scene @param {readonly Edit[]} edits @param {number} row @param {Place["queries"]} queries its steps; none: all */
export function gateAt(scene, edits, row, queries) {
  const gate = scene.trace.task === "caption" ? gateOf(scene, row) : null;
  return gate === null ? null : (edits.find((edit) => isGate(edit, queries))?.value ?? gate);
}

/** @param {readonly Edit[]} edits @param {Place["queries"]} queries @param {number} value @returns {Edit[]} */
export const withGate = (edits, queries, value) => [
  ...edits.filter((edit) => !isGate(edit, queries)),
  { op: "gate", ...(queries !== undefined && { queries }), value },
];

/** @param {Edit} edit @param {Place["queries"]} queries */
const isGate = (edit, queries) => edit.op === "gate" && inRow(edit, { queries });
