/** The verdict on a learner's run: which conditions of a statement it does not meet, how good a guess is, and the answers to questions about it. Pure. */

/** @import {AnyTrace, AttentionMap, Item, Trace} from "./types" */

import { entropy } from "./row_metrics.js";
import { weight } from "./text.js";
import { items, merge, pooled, viewOf } from "./trace.js";

/**
 * A run: its trace, the input of the step, whether its attention is edited, and what other models write.
 * @typedef {object} Run
 * @property {AnyTrace} trace @property {string} [authored] @property {boolean} [edited] @property {Record<string, string>} [others] by model
 */
/**
 * The conditions of app/pages/lesson_units.py, where each is explained.
 * @typedef {object} Statement
 * @property {string | null} [model] @property {string | null} [writes] @property {string | null} [writes_not]
 * @property {string[]} [contains] @property {string[]} [lacks] @property {boolean} [ends]
 * @property {string | null} [row] @property {string | null} [strongest] @property {number[] | null} [inside] @property {number} [at_least]
 * @property {boolean} [own] @property {boolean} [edited] @property {number} [least_words] @property {number | null} [most_words]
 * @property {number | null} [some_row_above] @property {number | null} [some_row_below] @property {boolean} [crosses] @property {number | null} [least_certain]
 * @property {string | null} [same_as] @property {string | null} [differs_from]
 */
/** The map of a run in words; of one that reads itself, a row has no later columns. @typedef {{rows: Item[], columns: Item[], weights: number[][], ahead?: boolean}} Reading */

const WORD = /[\p{L}\p{N}]+/gu;

/** The readings of traces, which each condition of a statement asks for. @type {WeakMap<AnyTrace, Reading | null>} */
const READINGS = new WeakMap();

/**
 * The map of a run in words: the mean of the heads of the last layer that reads the input.
 * @param {AnyTrace} run @returns {Reading | null}
 */
function readingOf(run) {
  const known = READINGS.get(run);
  if (known !== undefined) return known;
  const made = read(run);
  READINGS.set(run, made);
  return made;
}

/** @param {AnyTrace} run @returns {Reading | null} */
function read(run) {
  const trace = /** @type {Trace} */ (run);
  const map = mapOf(trace.maps);
  if (!map) return null;
  const { kind } = /** @type {{kind: string}} */ (trace.source);
  if (kind === "tokens") {
    const { rows, columns, weights } = viewOf(trace, trace, map, "words");
    return weights && { rows, columns, weights, ahead: map.kind !== "decoder-self" };
  }
  const rows = items(trace.target, "words");
  const columns =
    kind === "grid"
      ? (map.weights[0] ?? []).map((_, cell) => cellItem(cell))
      : items(trace.source, "words");
  return { rows, columns, weights: merge(map.weights, rows, columns) };
}

/** @param {AttentionMap[]} maps */
function mapOf(maps) {
  const reads = maps.filter(
    ({ kind, key, weights }) => kind === "cross" && key === "source" && weights,
  );
  const [first = null] = maps.filter(({ weights }) => weights);
  return reads.length ? pooled(reads, Math.max(...reads.map(({ layer }) => layer)), "mean") : first;
}

/** @param {number} cell @returns {Item} */
const cellItem = (cell) => ({ text: "", start: 0, end: 0, special: false, tokens: [cell] });

/** The words of a text, in small letters. @param {string} text */
export const wordsOf = (text) => text.toLowerCase().match(WORD) ?? [];

/**
 * Each condition, and whether a run meets it; those of a map are given the map.
 * @type {{[K in keyof Statement]: (wanted: any, run: Run, all: Statement) => boolean}}
 */
const CONDITIONS = {
  writes: (wanted, { trace }) => trace.text === wanted,
  writes_not: (wanted, { trace }) => trace.text !== wanted,
  contains: (wanted, { trace }) => has(trace.text, wanted).every(Boolean),
  lacks: (wanted, { trace }) => !has(trace.text, wanted).some(Boolean),
  ends: (_, { trace }) => trace.finish === "end",
  strongest: (wanted, { trace }, { row, at_least = 0 }) =>
    someRow(trace, row, ({ columns, weights }) => {
      const most = Math.max(...weights);
      return named(columns[weights.indexOf(most)], wanted) && most >= at_least;
    }),
  inside: (wanted, { trace }, { row, at_least = 0 }) =>
    someRow(trace, row, ({ weights }) => within(trace, weights, wanted) >= at_least),
  own: (_, { trace, authored }) => inputOf(trace) !== authored,
  edited: (_, { edited }) => edited === true,
  least_words: (wanted, { trace }) => wordsOf(inputOf(trace)).length >= wanted,
  most_words: (wanted, { trace }) => wordsOf(inputOf(trace)).length <= wanted,
  some_row_above: (wanted, { trace }) => peaks(trace).some((most) => most >= wanted),
  some_row_below: (wanted, { trace }) => peaks(trace).some((most) => most <= wanted),
  crosses: (_, { trace }) => looks(trace).some((column, row, all) => column < all[row - 1]),
  least_certain: (wanted, { trace }) =>
    trace.steps.some(({ probability }) => probability <= wanted),
  same_as: (wanted, { trace, others }) => others?.[wanted] === trace.text,
  differs_from: (wanted, { trace, others }) =>
    others?.[wanted] !== undefined && others[wanted] !== trace.text,
};

/** The names of all conditions. */
export const CONDITION_NAMES = Object.keys(CONDITIONS);

/**
 * The names of the conditions that a run does not meet.
 * @param {Statement} statement @param {Run} run @returns {string[]}
 */
export function unmet(statement, run) {
  return Object.entries(CONDITIONS)
    .filter(([name, holds]) => {
      const wanted = /** @type {Record<string, unknown>} */ (statement)[name];
      return isWanted(wanted) && !holds(wanted, run, statement);
    })
    .map(([name]) => name);
}

/** @param {unknown} value */
const isWanted = (value) => !!value && !(Array.isArray(value) && !value.length);

/** The models whose output a statement asks for. @param {Statement} statement */
export const othersOf = ({ same_as, differs_from }) =>
  [same_as, differs_from].filter((id) => typeof id === "string");

/** @param {AnyTrace} trace */
function inputOf(trace) {
  const { request, source } = /** @type {Trace} */ (trace);
  return request?.text ?? source.text ?? "";
}

/** @param {string} text @param {string[]} wanted */
function has(text, wanted) {
  const found = new Set(wordsOf(text));
  return wanted.map((word) => found.has(word.toLowerCase()));
}

/** @param {Item} item @param {string} text */
const named = (item, text) => item !== undefined && labelOf(item) === text;

/** The name of a word: marks have one that can be read. @param {Item} item */
export const labelOf = ({ text, special }) =>
  special
    ? text === "<no sentence>"
      ? "⟨no sentence⟩"
      : "⟨end⟩"
    : text.trim().replace(/^[«“"'(]+|[»”".,;:!?)]+$/gu, "") || text.trim();

/**
 * True if a row of this name meets a condition.
 * @param {AnyTrace} trace @param {string | null | undefined} name @param {(row: {columns: Item[], weights: number[]}) => boolean} holds
 */
function someRow(trace, name, holds) {
  const reading = readingOf(trace);
  if (!reading || !name) return false;
  const { rows, columns, weights } = reading;
  return rows.some((row, place) => named(row, name) && holds({ columns, weights: weights[place] }));
}

/** The largest weight of each word of the output. @param {AnyTrace} trace */
function peaks(trace) {
  const { rows = [], weights = [] } = readingOf(trace) ?? {};
  return weights.filter((_, row) => isWord(rows[row])).map((row) => Math.max(...row));
}

/** The column with the largest weight of each word of the output. @param {AnyTrace} trace */
function looks(trace) {
  const { rows = [], weights = [] } = readingOf(trace) ?? {};
  return weights.filter((_, row) => isWord(rows[row])).map((row) => row.indexOf(Math.max(...row)));
}

/** @param {Item} item */
const isWord = ({ text, special }) => !special && wordsOf(text).length > 0;

/** The share of a row within a part of a picture. @param {AnyTrace} trace @param {number[]} row @param {number[]} part its left, top, right and bottom */
function within(trace, row, [left, top, right, bottom]) {
  const { rows, columns } = /** @type {{rows: number, columns: number}} */ (
    /** @type {unknown} */ (trace.source)
  );
  return row.reduce((sum, weight, cell) => {
    const [x, y] = [((cell % columns) + 0.5) / columns, (Math.floor(cell / columns) + 0.5) / rows];
    return sum + (x >= left && x <= right && y >= top && y <= bottom ? weight : 0);
  }, 0);
}

/** A choice that a learner can press, and its worth between 0 and 1. @typedef {{label: string, value: number}} Option */

/**
 * The choices of a guess at a step, in the order of the text; of the next word, in that of letters.
 * @param {AnyTrace} trace @param {"word" | "next"} of @param {number} step a token of the output @returns {Option[]}
 */
export function guesses(trace, of, step) {
  if (of === "next") {
    const { alternatives = [] } = trace.steps[step] ?? {};
    return alternatives
      .map(({ text, probability }) => ({ label: text.trim() || text, value: probability }))
      .sort((one, other) => (one.label < other.label ? -1 : 1));
  }
  const reading = readingOf(trace);
  if (!reading) return [];
  const row = Math.max(
    reading.rows.findIndex(({ tokens }) => tokens.includes(step)),
    0,
  );
  const { columns, weights, ahead = true } = reading;
  const seen = ahead ? columns : columns.filter(({ tokens }) => tokens[0] <= step);
  const all = seen.map((item, column) => ({ label: labelOf(item), value: weights[row][column] }));
  // Marks are no guess, unless one of them is the answer.
  const most = bestOf(all);
  return all.filter((option, column) => option === most || isWord(seen[column]));
}

/** The weight of a row on some cells of a picture, and that of as many cells at their best. @param {AnyTrace} trace @param {number} step @param {number[]} cells */
export function onCells(trace, step, cells) {
  const reading = readingOf(trace);
  const row = reading?.weights[reading.rows.findIndex(({ tokens }) => tokens.includes(step))];
  if (!row) return null;
  const sum = (/** @type {number[]} */ values) => values.reduce((total, value) => total + value, 0);
  const best = row.toSorted((one, other) => other - one).slice(0, cells.length);
  return {
    value: sum(cells.map((cell) => row[cell] ?? 0)),
    best: sum(best),
    even: cells.length / row.length,
  };
}

/** @param {number} value */
const weighing = (value) => `weight ${weight(value)}`;

/**
 * The verdict on a guess.
 * @param {Option | null | undefined} guess @param {Option} best @param {((value: number) => string) | null} worth in words
 */
export function verdict(guess, best, worth) {
  const told = (/** @type {Option} */ { label, value }) =>
    worth ? `“${label}” (${worth(value)})` : label;
  if (!guess) return `The answer: ${told(best)}.`;
  if (guess.value === best.value) return `Yes: ${told(guess)}.`;
  if (!worth) return `No, the answer is ${best.label}.`;
  return `You chose ${told(guess)}. The answer is ${told(best)}.`;
}

/** The choice with the largest worth. @param {Option[]} options */
export const bestOf = (options) =>
  options.reduce((best, option) => (option.value > best.value ? option : best));

/**
 * Each question about a run: its choices, the best of which is the answer, and the worth of one in words.
 * @type {Record<string, {options: (trace: AnyTrace, step: number) => Option[], worth: ((value: number) => string) | null}>}
 */
export const CHECKS = {
  "strongest-input": { options: (trace, step) => guesses(trace, "word", step), worth: weighing },
  "most-covered": {
    options: (trace) =>
      columnsOf(trace, (weights, column) => weights.reduce((sum, row) => sum + row[column], 0)),
    worth: (sum) => `its column sums to ${weight(sum)}`,
  },
  sharpest: {
    options: (trace) => rowsOf(trace, (row) => Math.max(...row)),
    worth: weighing,
  },
  "most-spread": {
    options: (trace) => rowsOf(trace, entropy),
    worth: (bits) => `spread over ${bits.toFixed(2)} bits`,
  },
  "least-certain": {
    options: (trace) =>
      items(/** @type {Trace} */ (trace).target, "words")
        .filter(isWord)
        .map((item) => ({
          label: labelOf(item),
          value:
            1 -
            item.tokens.reduce(
              (product, token) => product * (trace.steps[token]?.probability ?? 1),
              1,
            ),
        })),
    worth: (doubt) => `probability ${weight(1 - doubt)}`,
  },
  steps: {
    options: ({ steps }) =>
      [0, 1, 2, 3].map((place) => {
        const more = place - (steps.length % 4); // the answer stands at any place
        return { label: String(steps.length + more), value: Number(more === 0) };
      }),
    worth: null,
  },
};

/** @param {AnyTrace} trace @param {(row: number[]) => number} worth @returns {Option[]} */
function rowsOf(trace, worth) {
  const { rows = [], weights = [] } = readingOf(trace) ?? {};
  return rows.flatMap((item, row) =>
    isWord(item) ? { label: labelOf(item), value: worth(weights[row]) } : [],
  );
}

/** @param {AnyTrace} trace @param {(weights: number[][], column: number) => number} worth @returns {Option[]} */
function columnsOf(trace, worth) {
  const { columns = [], weights = [] } = readingOf(trace) ?? {};
  return columns.flatMap((item, column) =>
    isWord(item) ? { label: labelOf(item), value: worth(weights, column) } : [],
  );
}
