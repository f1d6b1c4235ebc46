/** The characters that a network reads and writes, as numbers. Pure. */

/** @import {Batch} from "./network.js" */
/** @import {Pair} from "./tasks.js" */

import { END, PAD, START } from "./network.js";

const MARKS = 3;
/** The products of matrices take four columns at a time. */
const MULTIPLE = 4;

export class Vocabulary {
  #symbols;
  /** @type {Map<string, number>} */
  #places = new Map();

  /** @param {string} symbols */
  constructor(symbols) {
    this.#symbols = [...new Set(symbols)].sort();
    this.#symbols.forEach((symbol, place) => this.#places.set(symbol, place + MARKS));
  }

  /** The number of tokens; the last few may stand for no character. */
  get size() {
    return Math.ceil(this.used / MULTIPLE) * MULTIPLE;
  }

  /** The number of those that stand for a character or a mark. */
  get used() {
    return this.#symbols.length + MARKS;
  }

  get symbols() {
    return this.#symbols;
  }

  /** The tokens of a text and the end mark, or null if it has a character of no task. @param {string} text @returns {number[] | null} */
  read(text) {
    const tokens = Array.from(text, (symbol) => this.#places.get(symbol) ?? PAD);
    return tokens.includes(PAD) ? null : [...tokens, END];
  }

  /** @param {number} token */
  symbol(token) {
    return this.#symbols[token - MARKS] ?? "";
  }

  /** The text of tokens up to the end mark. @param {readonly number[]} tokens */
  text(tokens) {
    const end = tokens.indexOf(END);
    return tokens
      .slice(0, end < 0 ? undefined : end)
      .map((token) => this.symbol(token))
      .join("");
  }

  /** @param {readonly Pair[]} pairs @returns {Batch} */
  batch(pairs) {
    const rows = pairs.length;
    const sources = pairs.map(([source]) => this.read(source) ?? [END]);
    const targets = pairs.map(([, target]) => this.read(target) ?? [END]);
    const inputs = targets.map((tokens) => [START, ...tokens.slice(0, -1)]);
    return {
      rows,
      lengths: Int32Array.from(sources, (tokens) => tokens.length),
      source: byStep(sources),
      input: byStep(inputs),
      output: byStep(targets),
    };
  }
}

/** Of each step the tokens of all rows. @param {number[][]} rows */
function byStep(rows) {
  const steps = Math.max(...rows.map((row) => row.length));
  const all = new Int32Array(steps * rows.length).fill(PAD);
  rows.forEach((tokens, row) =>
    tokens.forEach((token, step) => (all[step * rows.length + row] = token)),
  );
  return all;
}
