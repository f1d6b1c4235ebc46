/** The sentences of the page about a trace of texts. Pure. */

/** @import {Item, Output, Scene, Trace, Vector} from "./types" */

import { named, weight } from "./text.js";
import { few, listed } from "./word_notes.js";

const ENOUGH = 0.95;
const WORTH_NAMING = 0.05;
const MOST_NAMED = 3;

/**
 * The few columns that hold most of a row, strongest first.
 * @param {number[]} row
 */
export function strongest(row) {
  const order = row.map((_, index) => index).sort((a, b) => row[b] - row[a] || a - b);
  const chosen = [];
  let total = 0;
  for (const index of order.slice(0, MOST_NAMED)) {
    if (chosen.length && (total >= ENOUGH || row[index] < WORTH_NAMING)) break;
    chosen.push(index);
    total += row[index];
  }
  return chosen;
}

/** Those places that are so far from each one before that their names have room. @param {Iterable<number>} places @param {number} least */
export function spaced(places, least) {
  /** @type {number[]} */
  const kept = [];
  for (const place of places)
    if (kept.every((other) => Math.abs(other - place) >= least)) kept.push(place);
  return kept;
}

/** A sentence on the strongest weights of a row. @param {number[]} row @param {Item[]} columns @param {[string, string]} [verb] */
export function attending(row, columns, [does, to] = ["attending", "to"]) {
  const chosen = strongest(row);
  if (!chosen.length) return "";
  const parts = chosen.map((index) => `${named(columns[index])} (${weight(row[index])})`);
  const first = row[chosen[0]];
  if (first < 0.2 && columns.length > 4)
    return `, with its attention spread out, most of it on ${listed(parts)}`;
  return first > 0.98 ? `, ${does} ${to} ${parts[0]}` : `, ${does} mostly ${to} ${listed(parts)}`;
}

/** The words for rows, columns and their units in a sentence. @param {Scene} scene */
export function axisNames({ units, model, view }) {
  const text = units === "words" ? "word" : model.granularity.slice(0, -1);
  const piece = (/** @type {Item[]} */ items) => (items[0]?.sound ? "frame" : text);
  const [row, column] = [piece(view.rows), piece(view.columns)];
  return {
    row: `${view.rowAxis === "source" ? "input" : "output"} ${row}`,
    column: `${view.columnAxis === "source" ? "input" : "earlier output"} ${column}`,
    pieces: row === column ? row : `${row} or a ${column}`,
    reads: view.rowAxis === "source",
  };
}

/** What a list leaves out of a row of weights. @param {number} count @param {number} rest their sum */
export function othersNote(count, rest) {
  const sum = rest >= 0.0005 ? rest.toFixed(3) : "less than 0.001";
  return count === 1 ? `1 other has ${sum}` : `${count} others share ${sum}`;
}

/** The statement that a translation of numbers, addresses or symbols without a word is a guess. @param {Pick<Trace, "task" | "source">} trace @param {Pick<Output, "finish">} output */
export function noSentenceNote({ task, source: { text } }, { finish }) {
  if (task !== "translate" || finish === "forced") return "";
  const parts = text.split(/\s+/);
  if (parts.some((part) => /\p{L}/u.test(part) && !isAddress(part))) return "";
  const are = parts.some(isAddress) ? "addresses" : /\p{N}/u.test(text) ? "numbers" : "symbols";
  return `The model is guessing: it learned from sentences, not from ${are} alone.`;
}

/** True for an address of the web or of mail. @param {string} part of a text, without a space */
const isAddress = (part) =>
  part.includes("://") || part.startsWith("www.") || part.slice(1, -1).includes("@");

/** The footnote on words that are shown in pieces. @param {Pick<Scene, "units" | "model" | "trace" | "output">} scene */
export function piecesNote({ units, model, trace, output }) {
  if (units === "words" || model.granularity !== "subwords") return "";
  const cut = [trace.source, output.target].flatMap(({ words, tokens }) => {
    const counts = words.map(() => 0);
    for (const { word } of tokens) counts[word]++;
    return words.filter(({ special }, place) => !special && counts[place] > 1);
  });
  return cut.length ? `In pieces, as the model reads and writes them: ${few(cut)}.` : "";
}

/** The statement about a model without attention. @param {number} size of its one vector; 0 if unknown */
export function noAttention(size) {
  const numbers = size ? `one vector of ${size} numbers` : "one vector";
  return `This model has no attention. It compresses the whole sentence into ${numbers} and never looks back at it.`;
}

/** The size of a vector, and how much of it is drawn. @param {Vector} vector */
export function vectorNote({ size, summary, norm }) {
  const drawn = summary.length < size ? `, drawn as ${summary.length} means` : "";
  const length = norm === null ? "" : `, length ${norm.toFixed(2)}`;
  return `${size} numbers${drawn}${length}`;
}
