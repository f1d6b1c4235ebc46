/** A story, about which a question is answered: hops as rows and sentences as columns. Pure. */

/** @import {ModelKind, StoryScene, StoryTrace, TokenAxis} from "../types" */

import { partsOf } from "../step_parts.js";
import { mapArrays, mapScene } from "../map_scene.js";
import { strongest } from "../sentences.js";
import { listed, unknownAlike, wordsAt } from "../word_notes.js";
import { named, percent, weight } from "../text.js";
import { choices } from "../trace.js";

/** @type {ModelKind<"sentences">} */
export const sentences = {
  name: "sentences",
  // Without a step, the scene is at the last hop, whose answer is the answer.
  sceneOf: (trace, settings, model) =>
    mapScene(sentences, trace, settings, model, {
      found: choices(trace, { map: null, layer: null, head: null, pool: null }),
      start: Infinity,
      steps: trace.steps.length ? partsOf("before").length : 1,
      view: { columnText: trace.source.text },
    }),
  arrays: mapArrays,
  lines: () => ({ row: "Hop", column: "Sentence" }),
  sentence,
  mapNote: () =>
    "Each row is a hop: how much the network attends to each sentence of the story before it goes on. The numbers of a row add up to 1.",
  input: ({ trace }) => trace.question.text,
  headLines: ({ trace }, until = Infinity) => {
    const last = Math.min(until, trace.steps.length - 1);
    const answer = trace.steps[last]?.alternatives[0]?.text ?? trace.text;
    return [
      { name: "Story", text: trace.source.text, shown: Infinity },
      { name: "Question", text: trace.question.text, shown: Infinity },
      { name: "Answer", text: answer, shown: Infinity },
    ];
  },
  spoken: ["hops", "sentences"],
  number: "Attention",
  caption: "Weights α: a row for each hop, a column for each sentence",
};

/** The sentence of a hop: its strongest key, and the answer that it leads to. @param {StoryScene} scene @param {number} row */
function sentence({ view, output }, row) {
  const weights = view.weights?.[row];
  if (!weights) return "";
  const chosen = strongest(weights);
  const read = chosen.map((index) => `${named(view.columns[index])} (${weight(weights[index])})`);
  const place = `Hop ${row + 1} of ${view.rows.length}`;
  const said = `${place}: attends mostly to ${listed(read)}.`;
  const [best] = output.steps[row]?.alternatives ?? [];
  if (!best) return said;
  const last = row === view.rows.length - 1;
  const chance = `(probability ${percent(best.probability)})`;
  return `${said} ${last ? "The answer" : "Its answer so far"}: “${best.text}” ${chance}.`;
}

/** The words of a story and of its question that the model does not know. @param {StoryTrace} trace */
export const unknownNote = ({ source, question }) =>
  unknownAlike([...source.unknown_words, ...unknownWords(question)]);

/** The words of a question that the model does not know. @param {TokenAxis} axis */
export const unknownWords = (axis) => wordsAt(axis, axis.rare_words);

/**
 * A text cut at its unknown words, so that they can be marked.
 * @param {string} text @param {number} start @param {{start: number, end: number}[]} unknown
 * @returns {{text: string, unknown: boolean}[]}
 */
export function cutAtUnknown(text, start, unknown) {
  const letters = Array.from(text);
  const inside = unknown.filter(
    (word) => word.start >= start && word.end <= start + letters.length,
  );
  /** @type {{text: string, unknown: boolean}[]} */
  const cut = [];
  let at = 0;
  const push = (/** @type {number} */ end, /** @type {boolean} */ marked) => {
    if (end > at) cut.push({ text: letters.slice(at, end).join(""), unknown: marked });
    at = Math.max(at, end);
  };
  for (const word of inside) {
    push(word.start - start, false);
    push(word.end - start, true);
  }
  push(letters.length, false);
  return cut;
}
