/** The request for a score, and its parts as a table: products, or what the score lost when a part was left out. */

/** @import {GridAxis, PictureScene, Scene} from "../../core/types" */
/** @import {Score} from "../../core/wire" */

import { TRANSLATE, post } from "../../core/api.js";
import { rowAndColumn } from "../../core/grid.js";
import { html } from "../../draw/dom.js";

/** Cells with a row of their own; the others are one sum. */
const CELLS = 5;
const MINUS = "−";
/** A number of a score, with a sign of its own. @param {number} value */
const shown = (value) =>
  value
    .toFixed(2)
    .replace(/^-0\.00$/, "0.00")
    .replace("-", MINUS);

/**
 * The table of a score, and the note on it.
 * @param {any} scene @param {Record<string, any>} fields @param {Promise<Blob> | undefined} photo @param {AbortSignal} signal
 * @returns {Promise<{table: HTMLTableElement, note: string}>}
 */
export async function explained(scene, fields, photo, signal) {
  const call = scene.view ? callOf(fields) : callOfPhoto(fields, /** @type {Blob} */ (await photo));
  return tableOf(await post(call.path, call, signal), scene);
}

/** @param {Record<string, any>} fields */
const callOf = (fields) => ({
  path: `${TRANSLATE}/score`,
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(fields),
});

/** @param {Record<string, any>} fields @param {Blob} photo */
function callOfPhoto(fields, photo) {
  const body = new FormData();
  body.append("image", photo);
  for (const [name, value] of Object.entries(fields))
    body.append(name, name === "search" ? JSON.stringify(value) : String(value));
  return { path: "/api/v1/caption/score", body };
}

/** @param {Score} score @param {Scene | PictureScene} scene */
function tableOf(score, { trace }) {
  if (score.split) return { table: splitTable(score), note: splitNote(score) };
  if (score.written) {
    const before = wordRows(score.written, trace.target.words);
    const rows = [...before, ...cellRows(score.cells ?? [], /** @type {any} */ (trace.source))];
    const caption = "The part of the score that is gone without a word or a cell";
    return { table: lostTable(score, rows, caption), note: rows.length ? PHOTO_NOTE : FIRST_NOTE };
  }
  const rows = wordRows(score.left_out ?? [], /** @type {any} */ (trace.source).words);
  const caption = "The part of the score that is gone without a word";
  return { table: lostTable(score, rows, caption), note: WORDS_NOTE };
}

const NEED_NOT_ADD_UP =
  "States of a recurrent network do not split, so that the changes need not add up; the remainder is the rest.";
const WORDS_NOTE = `Each word of the input was left out in turn, and the output forced once more: the change is what the score lost. ${NEED_NOT_ADD_UP}`;
const PHOTO_NOTE = `Each word before was left out in turn, and the others forced once more; each cell was taken from all rows before: the change is what the score lost. ${NEED_NOT_ADD_UP}`;
const FIRST_NOTE =
  "Nothing was written before the first word: its score comes from the mean of all cells and from the cell itself.";

/** @param {Score} score */
function splitNote({ score, split }) {
  const cells = (split?.products ?? []).flatMap((row, at) =>
    row.map((value, key) => ({ value, name: `${split?.query[at]} × ${split?.key[key]}` })),
  );
  const most = cells.reduce((a, b) => (Math.abs(b.value) > Math.abs(a.value) ? b : a));
  return `e = ${shown(score)} is the sum of all products, exactly, with the scale of each norm held. The largest is ${most.name}: ${shown(most.value)}.`;
}

/** @param {Score} score */
function splitTable({ score, split }) {
  const { query, key, products } = /** @type {NonNullable<Score["split"]>} */ (split);
  const sum = (/** @type {number[]} */ values) => values.reduce((all, value) => all + value, 0);
  const most = Math.max(...products.flat().map(Math.abs));
  const cell = (/** @type {number} */ value) =>
    html.td(
      {
        class: "number",
        "data-sign": value < 0 ? "minus" : "plus",
        "--share": (Math.abs(value) / (most || 1)).toFixed(3),
      },
      shown(value),
    );
  const head = (/** @type {string} */ text) => html.th({ scope: "col" }, text);
  const total = (/** @type {number} */ value) => html.td({ class: "number margin" }, shown(value));
  return html.table(
    { class: "split" },
    html.caption("Parts of the query (rows) × parts of the key (columns)"),
    html.thead(html.tr(html.td(), ...key.map(head), head("sum"))),
    html.tbody(
      ...products.map((row, at) =>
        html.tr(html.th({ scope: "row" }, query[at]), ...row.map(cell), total(sum(row))),
      ),
    ),
    html.tfoot(
      html.tr(
        html.th({ scope: "row" }, "sum"),
        ...key.map((_, at) => total(sum(products.map((row) => row[at])))),
        html.td({ class: "number" }, html.b(shown(score))),
      ),
    ),
  );
}

/** @param {NonNullable<Score["left_out"]>} parts @param {{text: string}[]} words @returns {[string, string][]} */
const wordRows = (parts, words) =>
  parts.map(({ word, change }) => [
    words[word].text,
    change === null ? "the key itself" : shown(change),
  ]);

/** The cells that change the score most, and all others together. @param {number[]} changes @param {GridAxis} axis @returns {[string, string][]} */
function cellRows(changes, axis) {
  const order = changes.map((_, cell) => cell).sort((a, b) => size(changes[b]) - size(changes[a]));
  const [most, others] = [order.slice(0, CELLS), order.slice(CELLS)];
  if (!others.length) return [];
  const rest = others.reduce((sum, cell) => sum + changes[cell], 0);
  return [
    ...most.map(
      (cell) => /** @type {[string, string]} */ ([rowAndColumn(axis, cell), shown(changes[cell])]),
    ),
    [`the other ${others.length} cells`, shown(rest)],
  ];
}

const size = Math.abs;

/** @param {Score} score @param {[string, string][]} rows @param {string} caption */
function lostTable({ score, remainder }, rows, caption) {
  const line = (/** @type {[string, string]} */ [name, value]) =>
    html.tr(html.th({ scope: "row" }, name), html.td({ class: "number" }, value));
  return html.table(
    { class: "split" },
    html.caption(caption),
    html.tbody(...rows.map(line), line(["remainder", shown(remainder ?? score)])),
    html.tfoot(line(["e", shown(score)])),
  );
}
