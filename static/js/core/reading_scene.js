/** The scene of a sentence that is read word by word, from the settings. Pure. */

/** @import {ModelKind, Step, Trace} from "./types" */

import { reading } from "./kinds/reading.js";
import { mapArrays } from "./map_scene.js";
import { sceneOf } from "./scene.js";
import { few } from "./sentences.js";
import { DEFAULTS } from "./state.js";

/** Bits of surprise that fill the bar of a word. */
const FULL = 16;

/** @type {ModelKind<"reading">} */
export const readingKind = {
  ...reading,
  name: "reading",
  // Without a step, the scene is at the word that leans farthest back.
  sceneOf: (trace, settings, model) =>
    sceneOf(
      trace,
      { ...DEFAULTS, ...settings, step: settings.step ?? farthestBack(trace) },
      model,
      "reading",
    ),
  arrays: mapArrays,
};

/** The row with the largest product of a weight and the distance to its word. @param {Trace} trace */
function farthestBack({ maps }) {
  const reaches = (maps[0]?.weights ?? []).map((row, place) =>
    Math.max(...row.map((weight, column) => weight * (place + 1 - column))),
  );
  return Math.max(reaches.indexOf(Math.max(...reaches)), 0);
}

/** The mean surprise of the words read so far, as the number of equally likely words that are as surprising. @param {Pick<Step, "surprise">[]} steps */
export const perplexity = (steps) =>
  2 ** (steps.reduce((sum, { surprise }) => sum + surprise, 0) / Math.max(steps.length, 1));

/** How much of its bar the surprise of a word fills. @param {Pick<Step, "surprise"> | undefined} step */
export const surpriseShare = (step) => Math.min((step?.surprise ?? 0) / FULL, 1);

/** The words that the model does not know. @param {Trace} trace */
export function unknownNote({ source: { rare_words: unknown = [], words } }) {
  return unknown.length
    ? `Unknown to this model, which reads all such words alike: ${few(unknown.map((place) => words[place]))}.`
    : "";
}
