/** Comma-separated values (RFC 4180). Pure. */

/** Spreadsheets take such a cell for a formula, fullwidth signs included; a number is none. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;

/** A cell of comma-separated values; an apostrophe makes a formula a text. @param {string} text */
function cell(text) {
  const shown = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(shown) || shown !== shown.trim()
    ? `"${shown.replace(/"/g, '""')}"`
    : shown;
}

/** Lines of cells as a file. @param {string[][]} lines */
export const table = (lines) => lines.map((line) => line.map(cell).join(",")).join("\r\n") + "\r\n";
