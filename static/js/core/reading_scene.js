/** The notes beside the map of a sentence that is read word by word: surprise and unknown words. Pure. */

/** @import {Step, Trace} from "./types" */

import { unknownAlike, wordsAt } from "./word_notes.js";

/** Bits of surprise that fill the bar of a word. */
const FULL = 16;

/** The mean surprise of the words read so far, as the number of equally likely words that are as surprising. @param {Pick<Step, "surprise">[]} steps */
export const perplexity = (steps) =>
  2 ** (steps.reduce((sum, { surprise }) => sum + surprise, 0) / Math.max(steps.length, 1));

/** How much of its bar the surprise of a word fills. @param {Pick<Step, "surprise"> | undefined} step */
export const surpriseShare = (step) => Math.min((step?.surprise ?? 0) / FULL, 1);

/** The words that the model does not know. @param {Trace} trace */
export const unknownNote = ({ source }) => unknownAlike(wordsAt(source, source.rare_words));
