/**
 * A guess at the language of a short text, from function words and letters. It answers only where
 * the evidence is clear, and never from names alone. Pure.
 */

import { LETTERS, WORDS } from "./language_profiles.js";

/** The weight of the letters of a word that is in no list, and of a name or another capitalized one. */
const BY_LETTERS = 0.6;
const CAPITALIZED = 0.3;
/** The evidence that is needed: its total, its lead over every other language, and its words. */
const ENOUGH = 1.2;
const LEAD = 0.7;
const LEAST_WORDS = 2;
/** The share of the words that must count for the language. */
const LEAST_SHARE = 0.3;
/** The largest share of the evidence that another language may have. */
const MOST_OTHER = 0.5;

const ADDRESS = /\S*(?:\/\/|@|www\.)\S*/g;
const PARTS = /\p{L}[\p{L}\p{M}]*(?:'\p{L}+)*/gu;
const ELISION = /^(aujourd|dell|nell|all|qu|un|\p{L})'(.+)$/u;

/** @type {Map<string, string[]>} */
const languagesOf = new Map();

/** The languages that have a word in their list. @param {string} word */
function listedIn(word) {
  if (!languagesOf.size) {
    for (const [code, list] of Object.entries(WORDS))
      for (const each of new Set(list.split(/\s+/)))
        languagesOf.set(each, [...(languagesOf.get(each) ?? []), code]);
  }
  return languagesOf.get(word) ?? [];
}

/** Returns true if the frequent words of a language are listed here. @param {string} code */
export const hasFrequent = (code) => Object.hasOwn(WORDS, code);

/** Returns true for a frequent word of a language. @param {string} word in lower case @param {string} code */
export const frequent = (word, code) => listedIn(word).includes(code);

/** A word in lower case, without an elided article: that of “l'eau” is “eau”. @param {string} word */
export function withoutArticle(word) {
  const lower = word.normalize("NFC").replace(/[’‘`]/g, "'").toLowerCase();
  return ELISION.exec(lower)?.[2] ?? lower;
}

/** The languages that can write a word with letters beside a to z; none for a word without such letters. @param {string} word */
function spelledIn(word) {
  const marked = word.match(/[^a-z'\p{M}]/gu) ?? [];
  if (!marked.length) return [];
  return Object.entries(LETTERS)
    .filter(([, letters]) => marked.every((letter) => letters.includes(letter)))
    .map(([code]) => code);
}

/** The words of a text, with elided articles apart. @param {string} text */
function wordsOf(text) {
  const plain = text.normalize("NFC").replace(/[’‘`]/g, "'").replace(ADDRESS, " ");
  return (plain.match(PARTS) ?? []).flatMap((word) => {
    const lower = word.toLowerCase();
    if (listedIn(lower).length) return [word];
    const elided = ELISION.exec(lower)?.[1];
    return elided ? [`${elided}'`, word.slice(elided.length + 1)] : [word];
  });
}

/**
 * The language of a text, as an ISO 639-1 code; null if the evidence is not clear.
 * @param {string} text @returns {string | null}
 */
export function guessLanguage(text) {
  const words = wordsOf(text);
  /** @type {Map<string, {weight: number, words: Set<string>, count: number}>} */
  const evidence = new Map();
  for (const word of words) {
    const lower = word.toLowerCase();
    const listed = listedIn(lower);
    const codes = listed.length ? listed : spelledIn(lower);
    const whole = listed.length ? 1 : word === lower ? BY_LETTERS : CAPITALIZED;
    for (const code of codes) {
      const found = evidence.get(code) ?? { weight: 0, words: new Set(), count: 0 };
      found.weight += whole / codes.length;
      found.words.add(lower);
      found.count += 1;
      evidence.set(code, found);
    }
  }
  const [first, second] = [...evidence].sort(([, a], [, b]) => b.weight - a.weight);
  if (!first) return null;
  const [code, { weight, words: supporting, count }] = first;
  const other = second?.[1].weight ?? 0;
  const clear = weight >= ENOUGH && weight - other >= LEAD && other <= MOST_OTHER * weight;
  const enough = supporting.size >= LEAST_WORDS && count >= LEAST_SHARE * words.length;
  return clear && enough ? code : null;
}

/**
 * The language of a text that is clearly not the expected one; null if it may be, or if it is none
 * of the languages that are known here.
 * @param {string} text @param {string} expected @param {string[]} known their codes
 */
export function foreignLanguage(text, expected, known) {
  const guess = expected in WORDS ? guessLanguage(text) : null;
  return guess !== null && guess !== expected && known.includes(guess) ? guess : null;
}
