/**
 * Rules that warn: what an output may have wrong, with the cells that show it. Each was measured on
 * outputs labelled by reading; `docs/views.md` has the figures. Pure.
 */

/** @import {Item} from "./types" */
/** @import {Finding, Shown} from "./finding.js" */

import { cellPlace } from "./edit_list.js";
import { arxiv, attempt, top } from "./finding.js";
import { frequent, hasFrequent, withoutArticle } from "./language_guess.js";
import { named } from "./text.js";
import { few } from "./word_notes.js";

/** Letters with which two words begin, and those at the end of the longer one that may differ. */
const STEM = 4;
const ENDING = 2;

/** Of 500 outputs that were labelled, how many have the fault, how many a rule names, and how many rightly. */
export const MEASURED = {
  repeated: { faulty: 35, named: 23, right: 23 },
  copied: { faulty: 32, named: 19, right: 16 },
};

/** These figures in a sentence. @param {typeof MEASURED.copied} figures */
const measured = ({ faulty, named: all, right }) =>
  `Of 500 outputs that were read, ${faulty} had this fault; the rule named ${all}, ${right === all ? "all" : right} of them rightly.`;

/** Returns true for a number, and for a word that begins with a capital letter, which may be a name. @param {Item} item */
const mayBeName = ({ text }) => /\p{N}|^\p{Lu}\p{L}/u.test(text);

/** Returns true if the model wrote the words that are shown. @param {Shown} shown */
const wrote = ({ scene }) =>
  scene.picked?.kind === "cross" && scene.units === "words" && scene.output.finish !== "forced";

/** A word without accents. @param {string} text */
const letters = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "");

/** Returns true for two forms of one word. @param {string} one @param {string} other both with one stem */
function alike(one, other) {
  const longest = Math.max(one.length, other.length);
  let same = STEM;
  while (same < longest && one[same] === other[same]) same += 1;
  return same >= longest - ENDING;
}

/**
 * The places of words that stand a second time, each with the place before; frequent ones aside.
 * @param {Item[]} items @param {string} code of their language
 */
function again(items, code) {
  /** @type {Map<string, {first: number, word: string}>} */
  const latest = new Map();
  return items.flatMap(({ text, special }, second) => {
    const whole = withoutArticle(text);
    const word = letters(whole);
    if (special || word.length < STEM || !/^\p{L}/u.test(word) || frequent(whole, code)) return [];
    const stem = word.slice(0, STEM);
    const before = latest.get(stem);
    latest.set(stem, { first: second, word });
    return before && alike(before.word, word) ? [{ first: before.first, second }] : [];
  });
}

/** Words that are written twice, where the input has no word twice. @param {Shown} shown @returns {Finding | null} */
export function repeated(shown) {
  const { scene, weights, rows, columns } = shown;
  const [read, written] = [scene.model.source.code, scene.model.target.code];
  if (!wrote(shown) || ![read, written].every(hasFrequent)) return null;
  const [found] = again(rows, written);
  if (!found || again(columns, read).length) return null;
  const cells = [found.first, found.second].map((row) => ({ row, column: top(weights[row]) }));
  const [, { row, column }] = cells;
  return {
    id: "repeated",
    title: "Perhaps repeated",
    says: `${named(rows[row])} stands in the output a second time, in this or another form; no word of the input does, frequent ones aside. Its row looks most at ${named(columns[column])}.`,
    because: `Nothing in this attention remembers what was translated. Where the next word is a hard one, a decoder may write again what it has just written, and what belongs there is missing. ${measured(MEASURED.repeated)}`,
    source: arxiv("Tu et al. 2016, over-translation", "1601.04811"),
    cells,
    attempt: attempt(shown, () => ({ op: "block", ...cellPlace(scene, "head", row, column) })),
  };
}

/** Words of the input that the language of the output does not have. @param {Shown} shown @returns {Finding | null} */
export function untranslated(shown) {
  const { scene, weights, rows, columns } = shown;
  if (!wrote(shown)) return null;
  const { words, copied_words: places = [] } = scene.output.target;
  const copied = new Set(places.map((place) => words[place].start));
  const found = rows.flatMap((item, row) =>
    copied.has(item.start) && !item.special && !mayBeName(item) ? [row] : [],
  );
  if (!found.length) return null;
  const cells = found.map((row) => ({ row, column: top(weights[row]) }));
  const [{ row, column }] = cells;
  return {
    id: "untranslated",
    title: "Perhaps not translated",
    says: `${few(found.map((at) => rows[at]))} ${found.length > 1 ? "stand" : "stands"} in the input, and in no ${scene.model.target.name} text of the training. The row of ${named(rows[row])} looks most at ${named(columns[column])}.`,
    because: `The model writes pieces of words. A word that it hardly knows is most easily written with the pieces that it was read in, which is right for names and wrong for most other words. ${measured(MEASURED.copied)}`,
    source: arxiv("Gu et al. 2016, copying", "1603.06393"),
    cells,
    attempt: attempt(shown, () => ({ op: "block", ...cellPlace(scene, "head", row, column) })),
  };
}
