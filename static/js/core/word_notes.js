/** Notes about the words that were read and written, and lists of words. Pure. */

/** @import {Output, TokenAxis, Word} from "./types" */

import { named } from "./text.js";
import { skippedWords } from "./trace.js";

const MOST_NAMED = 3;
/** Geometric mean of the probabilities of a caption, below which it is a guess: that of 1 photo in 40. */
const GUESSED = 0.2;
const INK = /[^\p{M}\p{Z}\p{C}]/u;

/**
 * The words of a text that the model ignored, those that were rare in training, and those of its
 * output that it made up.
 * @param {TokenAxis} axis @param {TokenAxis} [target]
 */
export function readingNote(axis, target) {
  const ignored = few(skippedWords(axis).filter(({ text }) => INK.test(text)));
  const rare = few(wordsAt(axis, axis.rare_words));
  const madeUp = few(target ? wordsAt(target, target.unknown_words) : []);
  return [
    ignored && `Ignored (unknown to this model): ${ignored}.`,
    rare && `Rare in training, so the model may guess: ${rare}.`,
    madeUp && `Made up by the model (in no training text): ${madeUp}.`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** The statement that a caption is a guess, by the probabilities of its tokens. @param {Pick<Output, "steps" | "finish">} output */
export function guessNote({ steps, finish }) {
  const logs = steps.reduce((sum, { probability }) => sum + Math.log(probability), 0);
  return finish !== "forced" && logs < Math.log(GUESSED) * steps.length
    ? "The model is guessing: it has seen few photos like this."
    : "";
}

/** The words of an axis at these places. @param {Pick<TokenAxis, "words">} axis @param {readonly number[]} [places] */
export const wordsAt = ({ words }, places = []) => places.flatMap((place) => words[place] ?? []);

/** The first of some words by name, each once, and how many more there are. @param {Word[]} words */
export function few(words) {
  const all = [...new Set(words.map(named))];
  const more = all.length - MOST_NAMED;
  return listed([...all.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])]);
}

/** The note on words that a model does not know. @param {Word[]} words */
export const unknownAlike = (words) =>
  words.length ? `Unknown to this model, which reads all such words alike: ${few(words)}.` : "";

/** @param {string[]} parts */
export function listed(parts) {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
