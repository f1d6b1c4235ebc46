/** Pairs of one's own as a task: a line each, with a tab between what is read and what is written. Pure. */

/** @import {Pair, Task} from "./tasks.js" */

import { isKeptBack } from "./tasks.js";

const LINES = { least: 50, most: 5000 };
export const LONGEST_SIDE = 40;
export const MOST_CHARACTERS = 512_000;
const MOST_SYMBOLS = 120;
const SHOWN = 6;
/** The width of a group of lengths. */
const GROUP = 5;
/** Signs that models read as others (`models/text/normalize.py`). @type {Record<string, string>} */
const STRAIGHT = { "’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u2011": "-" };

/** The text as a model reads it. @param {string} text */
const normalized = (text) =>
  text
    .normalize("NFC")
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[’‘“”–—\u2011]/g, (sign) => STRAIGHT[sign]);

/**
 * The task of these lines, or the reason why they are none.
 * @param {string} text @returns {{task: Task, error: null} | {task: null, error: string}}
 */
export function pairsTask(text) {
  const failed = (/** @type {string} */ error) => ({ task: null, error });
  if (text.length > MOST_CHARACTERS)
    return failed(
      `The text has ${text.length} characters; at most ${MOST_CHARACTERS} can be learned.`,
    );
  const lines = text.split(/\r?\n/);
  /** @type {Pair[]} */
  const pairs = [];
  for (const [index, line] of lines.entries()) {
    if (!line.trim()) continue;
    const sides = line.split("\t");
    if (sides.length !== 2)
      return failed(`Line ${index + 1} needs one tab between its two sides; it has ${sides.length - 1}.`); // prettier-ignore
    const [source, target] = sides.map(normalized);
    if (!source || !target) return failed(`Line ${index + 1} has an empty side.`);
    const longest = Math.max(...[source, target].map((side) => Array.from(side).length));
    if (longest > LONGEST_SIDE)
      return failed(`Line ${index + 1} has a side of ${longest} characters; at most ${LONGEST_SIDE} are read.`); // prettier-ignore
    pairs.push([source, target]);
    if (pairs.length > LINES.most)
      return failed(`There are more than ${LINES.most} lines; remove some.`);
  }
  if (pairs.length < LINES.least)
    return failed(
      `There ${pairs.length === 1 ? "is 1 line" : `are ${pairs.length} lines`}; a network needs ${LINES.least} or more.`,
    );
  const symbols = new Set(pairs.flatMap(([source, target]) => Array.from(source + target)));
  if (symbols.size > MOST_SYMBOLS)
    return failed(`There are ${symbols.size} different characters; at most ${MOST_SYMBOLS} can be learned.`); // prettier-ignore
  const kept = pairs.filter(([source]) => isKeptBack(source));
  if (!kept.length || kept.length === pairs.length)
    return failed("The lines are too much alike to keep one in ten of them for the test.");
  return { task: taskOf(pairs, [...symbols].join(""), kept), error: null };
}

/** @param {Pair[]} pairs @param {string} symbols @param {Pair[]} kept @returns {Task} */
function taskOf(pairs, symbols, kept) {
  const answers = new Map(pairs);
  const longest = (/** @type {0 | 1} */ side) =>
    pairs.reduce((most, pair) => Math.max(most, Array.from(pair[side]).length), 1);
  return {
    name: "own",
    title: "Pairs of your own",
    says: `${pairs[0][0]} → ${pairs[0][1]}`,
    expect: "Which characters should each row look at? Decide before you start.",
    symbols,
    share: 1,
    examples: [...new Set([...kept, ...pairs].map(([source]) => source))].slice(0, SHOWN),
    letters: false,
    capacity: [longest(0), longest(1)],
    draw: (random) => random.of(pairs),
    group: ([source]) => {
      const first = Math.floor((Array.from(source).length - 1) / GROUP) * GROUP + 1;
      return `${first} to ${first + GROUP - 1}`;
    },
    answer: (text) => answers.get(text) ?? null,
  };
}
