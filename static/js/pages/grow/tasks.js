/** The tasks that a network can learn in the page: texts, what is written for each, and what to expect. Pure. */

/** @import {Random} from "./numbers.js" */
/** @typedef {readonly [source: string, target: string]} Pair */
/**
 * @typedef {object} Task
 * @property {string} name as the address has it @property {string} title @property {string} says
 * @property {string} expect the shape of its map @property {string} symbols of both sides
 * @property {number} share of unseen texts that counts as learned
 * @property {string[]} examples whose maps are shown, the last that the network can read @property {boolean} letters true if it has a longest word
 * @property {[number, number]} capacity the longest source and target
 * @property {(random: Random, longest: number) => Pair} draw a pair
 * @property {(pair: Pair) => string} group that its share is counted in
 * @property {(text: string) => string | null} answer the right answer to a text, null if there is none
 */

/** Words of all lengths, of which those are shown that are nearly as long as the longest. */
const WORDS = "cat sun key lamp bird tree plate house stream orchard keyboard chocolate strawberry imagination conversation entertainment responsibility congratulations".split(" "); // prettier-ignore
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
/** The shortest word of the tasks on letters. */
const SHORTEST = 3;
/** Letters that are tried beyond the longest of the training. */
export const BEYOND = 3;
export const LONGEST = { least: 4, usual: 8, most: 15 };

/** @param {Random} random @param {number} longest */
const word = (random, longest) =>
  Array.from({ length: SHORTEST + random.below(longest - SHORTEST + 1) }, () =>
    random.of(LETTERS),
  ).join("");

/** @param {Omit<Task, "symbols" | "letters" | "examples" | "draw" | "group" | "answer" | "capacity"> & {of: (word: string) => string, times?: number}} task @returns {Task} */
const onLetters = ({ of, times = 1, ...task }) => ({
  ...task,
  symbols: LETTERS,
  letters: true,
  examples: WORDS,
  capacity: [LONGEST.most + BEYOND, times * (LONGEST.most + BEYOND)],
  draw(random, longest) {
    const source = word(random, longest);
    return [source, of(source)];
  },
  group: ([source]) => String(source.length),
  answer: (text) => (/^[a-z]+$/.test(text) ? of(text) : null),
});

const ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" "); // prettier-ignore
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** The English name of a number below a thousand. @param {number} value @returns {string} */
export function spelled(value) {
  if (value < 20) return ONES[value];
  if (value < 100) {
    const ten = TENS[Math.floor(value / 10) - 2];
    return value % 10 ? `${ten} ${ONES[value % 10]}` : ten;
  }
  const hundreds = `${ONES[Math.floor(value / 100)]} hundred`;
  return value % 100 ? `${hundreds} and ${spelled(value % 100)}` : hundreds;
}

const NUMBERS = new Map(
  Array.from({ length: 1000 }, (_, value) => [spelled(value), String(value)]),
);

const MONTHS = "january february march april may june july august september october november december".split(" "); // prettier-ignore
const [FIRST_YEAR, YEARS, DAYS] = [1900, 200, 28];
const two = (/** @type {number} */ value) => String(value).padStart(2, "0");

/** The date of a text, if it has a form of the training. @param {string} text */
function dateOf(text) {
  const day = /^(\d{1,2}) ([a-z]+) (\d{4})$/.exec(text);
  const month = /^([a-z]+) (\d{1,2}) (\d{4})$/.exec(text);
  const [, d, m, y] = day ?? (month ? [month[0], month[2], month[1], month[3]] : []);
  const place = m ? MONTHS.indexOf(m) : -1;
  return place < 0 ? null : `${y}-${two(place + 1)}-${two(Number(d))}`;
}

/** @type {readonly Task[]} */
export const TASKS = [
  onLetters({
    name: "reverse",
    title: "Reverse a word",
    says: "abcd → dcba",
    expect:
      "What is read last is written first: expect a diagonal from the upper right to the lower left.",
    share: 0.98,
    of: (text) => Array.from(text).reverse().join(""),
  }),
  onLetters({
    name: "double",
    title: "Double every letter",
    says: "abc → aabbcc",
    expect: "Two rows for each letter: expect a staircase.",
    share: 0.97,
    times: 2,
    of: (text) => Array.from(text, (letter) => letter + letter).join(""),
  }),
  onLetters({
    name: "sort",
    title: "Sort the letters",
    says: "dbca → abcd",
    expect:
      "Each row looks for the next letter of the alphabet, wherever it stands: expect no line.",
    share: 0.85,
    of: (text) => Array.from(text).sort().join(""),
  }),
  {
    name: "numbers",
    title: "Numbers to digits",
    says: "three hundred and two → 302",
    expect: "Each digit should look at the word that names it; the zero in the middle has none.",
    share: 0.95,
    examples: ["seven", "forty two", "three hundred and two", "nineteen", "five hundred", "eight hundred and sixty one"], // prettier-ignore
    symbols: ` ${LETTERS}${DIGITS}`,
    letters: false,
    capacity: [31, 3],
    draw(random) {
      const value = random.below(1000);
      return [spelled(value), String(value)];
    },
    group: ([, target]) => `${target.length} ${target.length > 1 ? "digits" : "digit"}`,
    answer: (text) => NUMBERS.get(text) ?? null,
  },
  {
    name: "dates",
    title: "Dates",
    says: "3 may 1979 → 1979-05-03",
    expect: "The year looks to the end, the month at its name, and the day to where the day is.",
    share: 0.98,
    examples: ["3 may 1979", "may 3 1979", "21 july 2042", "december 9 1910", "14 april 1999", "october 28 2011"], // prettier-ignore
    symbols: ` -${LETTERS}${DIGITS}`,
    letters: false,
    capacity: [17, 10],
    draw(random) {
      const [day, month, year] = [
        1 + random.below(DAYS),
        random.below(MONTHS.length),
        FIRST_YEAR + random.below(YEARS),
      ];
      const target = `${year}-${two(month + 1)}-${two(day)}`;
      return random.below(2)
        ? [`${day} ${MONTHS[month]} ${year}`, target]
        : [`${MONTHS[month]} ${day} ${year}`, target];
    },
    group: ([source]) => (/^\d/.test(source) ? "day first" : "month first"),
    answer: dateOf,
  },
];

/** @param {string} name */
export const taskNamed = (name) => TASKS.find((task) => task.name === name) ?? null;

/** Returns true for a text that is kept from the training: one in ten (FNV-1a). @param {string} text */
export function isKeptBack(text) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return ((hash ^ (hash >>> 15)) >>> 0) % 10 === 0;
}
