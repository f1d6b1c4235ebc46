/** The contrast of two words as it is shown: in bits, for each key. Pure. */

/** @import {Contrast} from "../../core/wire" */
/** @import {View} from "../../core/types" */

import { table } from "../../core/csv.js";
import { heading, slice } from "../../core/text.js";
import { bits, mapOf } from "./model.js";

/**
 * The words that could stand in the place of one: the alternatives of a step, with the pieces before it.
 * @param {{words: {start: number}[], tokens: {word: number, start: number, text: string}[], text: string}} target
 * @param {{alternatives: {text: string}[]}[]} steps @param {number} row @returns {string[]}
 */
export function otherWords({ words, tokens, text }, steps, row) {
  const token = tokens[row];
  if (!token) return [];
  const before = slice(text, words[token.word].start, token.start);
  const others = steps[row]?.alternatives ?? [];
  const written = slice(text, words[token.word].start, wordEnd(tokens, row)).trim();
  const made = others.flatMap(({ text: piece }) => {
    if (/^<.*>$/.test(piece)) return [];
    const word = (before && /^\s/.test(piece) ? before : before + piece).trim();
    return word && word !== written ? [word] : [];
  });
  return [...new Set(made)];
}

/** The end of a word, without a word after it that of the text. @param {{word: number, start: number}[]} tokens @param {number} row */
const wordEnd = (tokens, row) =>
  tokens.slice(row).find(({ word }) => word !== tokens[row].word)?.start;

/** The contrast of each key in bits, as a map of one row. @param {Contrast} contrast @returns {View} */
export function contrastView(contrast) {
  const rows = contrast.trace.target.kind === "tokens" ? contrast.trace.target.tokens.length : 0;
  const total = contrast.total.map((value) => bits(value ?? 0));
  const numbers = Array.from({ length: rows }, () => total);
  const view = mapOf(/** @type {any} */ (contrast), numbers, "bits");
  const text = `${contrast.word} − ${contrast.other}`;
  return {
    ...view,
    rows: [{ ...view.rows[contrast.row], text }],
    weights: [total],
  };
}

/** The contrast of each cell of a photo: for the word, and for the other. @param {Contrast} contrast */
export const contrastCells = ({ total }) => ({
  own: total.map((value) => Math.max(bits(value ?? 0), 0)),
  other: total.map((value) => Math.max(-bits(value ?? 0), 0)),
});

/** @param {Contrast} contrast */
export function contrastCsv(contrast) {
  const { source } = contrast.trace;
  const name = (/** @type {number} */ key) =>
    source.kind === "tokens" ? heading(source.tokens[key]).text : String(key);
  return table([
    ["column", "input", "attention", `bits for ${contrast.word} against ${contrast.other}`],
    ...contrast.total.map((value, key) => [
      String(key),
      name(key),
      String(contrast.attention[key]),
      bits(value ?? 0).toFixed(5),
    ]),
  ]);
}
