/** A matrix of weights as comma-separated values, with or without the names of rows and columns. Pure. */

import { ImportError } from "../core/errors.js";

/** The signs between cells: that which the first line has most of is the file's. */
const SEPARATORS = [",", ";", "\t"];
/** A quotation mark, a separator or the end of a line. */
const SIGN = /["\r\n,;\t]/g;
/** The end of a text on the page, as an export names it. */
const END = "⟨end⟩";
/** The corner of a table with names: empty, or the names of its axes. */
const CORNER = /^\s*(words|subwords|characters|tokens)?\s*$/;
/** Before a text that a spreadsheet would take for a formula. */
const APOSTROPHE = /^'(?=[=+\-@＝＋－＠\t\r\n])/;

/** True for a text of comma-separated values. @param {string} text */
export const isCsv = (text) =>
  !/^\s*[{[]/.test(text) && SEPARATORS.some((sign) => firstLine(text).includes(sign));

/**
 * The fields of plain weights: the names of rows and columns are their numbers where there are none.
 * @param {string} text @returns {{source: string[], target: string[], weights: number[][]}}
 */
export function csvFields(text) {
  const head = firstLine(text);
  const separator = SEPARATORS.reduce((most, sign) =>
    head.split(sign).length > head.split(most).length ? sign : most,
  );
  const lines = cells(text, separator).filter((line) => line.some((cell) => cell.trim()));
  // A comma between digits is that of a decimal where it separates no cells.
  const number = (/** @type {string} */ cell) =>
    cell.trim() === "" ? NaN : Number(separator === "," ? cell : cell.replace(",", "."));
  const [first = [], ...rest] = lines;
  const headed = first.slice(1).some((cell) => Number.isNaN(number(cell)));
  const rows = headed ? rest : lines;
  if (!rows.length) throw new ImportError("The file has no row of weights.");
  const [corner = ""] = first;
  const named =
    headed && rest[0]?.length === first.length
      ? CORNER.test(corner) || rest.some(([cell = ""]) => Number.isNaN(number(cell)))
      : rows.every(([cell = ""]) => Number.isNaN(number(cell)));
  const weights = rows.map((row) => row.slice(named ? 1 : 0).map(number));
  const columns = first.slice(named ? 1 : 0);
  return {
    source: headed ? columns.map(nameOf) : columns.map((_, place) => String(place + 1)),
    target: rows.map(([cell = ""], place) => (named ? nameOf(cell) : String(place + 1))),
    weights,
  };
}

/** @param {string} cell */
const nameOf = (cell) => (cell === END ? "</s>" : cell.replace(APOSTROPHE, ""));

/** @param {string} text */
const firstLine = (text) => /^[^\r\n]*/.exec(text.trimStart())?.[0] ?? "";

/** The cells of each line (RFC 4180). @param {string} text @param {string} separator @returns {string[][]} */
function cells(text, separator) {
  /** @type {string[][]} */
  const lines = [[]];
  let cell = "";
  let from = 0;
  let quoted = false;
  let closed = -2;
  SIGN.lastIndex = 0;
  for (let found = SIGN.exec(text); found; found = SIGN.exec(text)) {
    const [sign] = found;
    const ends = !quoted && (sign === separator || sign === "\n" || sign === "\r");
    if (sign !== '"' && !ends) continue;
    cell += text.slice(from, found.index);
    from = SIGN.lastIndex;
    if (sign === '"') {
      // Two of them within quotation marks are one.
      if (!quoted && closed === found.index - 1) cell += '"';
      if (quoted) closed = found.index;
      quoted = !quoted;
      continue;
    }
    /** @type {string[]} */ (lines.at(-1)).push(cell);
    cell = "";
    if (sign !== separator) lines.push([]);
  }
  /** @type {string[]} */ (lines.at(-1)).push(cell + text.slice(from));
  return lines;
}
