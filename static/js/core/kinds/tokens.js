/** A text that is written while another one is read: its words, sentences and notes. Pure. */

/** @import {HeadLine, Kind, Output, Scene, Trace} from "../types" */
/** @import {PartName} from "../step_parts.js" */

import { decodingNote, isGiven } from "../decoding.js";
import { attending, axisNames } from "../sentences.js";
import { named, percent } from "../text.js";
import { partsOf } from "../step_parts.js";
import { bestHead } from "../best_head.js";
import { choices, layered, stepsOf } from "../trace.js";

/** @typedef {{partsOf: (trace: Trace, output: Output, reads: boolean) => PartName[]}} TextSteps the parts of a step; `reads`: of self-attention of the input */

/** @type {Kind<Scene> & TextSteps} */
export const tokens = {
  name: "tokens",
  partsOf: ({ model }, output, reads) => partsOf(model.order, layered(output), reads),
  lines,
  sentence,
  mapNote,
  input: ({ trace }) => trace.source.text,
  headLines,
  number: "Attention",
  caption: "Weights α: a row for each output token or word, a column for each input one",
  decoding: ({ trace, output }) => decodingNote(trace, output),
  large: {
    owns: ({ source }) => source.kind === "tokens",
    picked: (_, output, settings, model) => choices(output, settings, bestHead(model)),
    instead: "Save its NumPy arrays instead.",
  },
  network: ({ model }, output) =>
    layered(output) ? "transformer" : model.order === "fixed" ? "fixed" : "recurrent",
  unit: ({ units, model }) => (units === "words" ? "words" : model.granularity),
};

/** @param {Scene} scene */
function lines(scene) {
  const { rowAxis, columnAxis } = scene.view;
  const { written, frame_seconds: seconds } = scene.trace.source;
  const input = written !== undefined ? "Prompt and answer" : seconds ? "Sound" : "Input";
  if (rowAxis === "source") return { row: `${input} (query)`, column: `${input} (key)` };
  const row = isGiven(scene.trace, scene.output) ? "Given output" : "Output";
  return { row, column: columnAxis === "decoder_input" ? "Earlier output" : input };
}

/**
 * The sentence of a row: what was written, its probability, and where the attention went.
 * @param {Scene} scene @param {number} row
 */
function sentence(scene, row) {
  const { view, output } = scene;
  const item = view.rows[row];
  if (!item) return "";
  const place = `Step ${row + 1} of ${view.rows.length}`;
  const attention = view.weights
    ? attending(view.weights[row], view.columns)
    : ", from its one fixed vector";
  const steps = stepsOf(scene, row);
  if (!steps.length && view.rowAxis === "target") return `${place}: ${named(item)}${attention}.`;
  if (!steps.length)
    return `Position ${row + 1} of ${view.rows.length}${partNote(scene, row)}: ${named(item)}${attention}.`;
  const probability = percent(steps.reduce((product, step) => product * step.probability, 1));
  const did = isGiven(scene.trace, output)
    ? `given ${named(item)}`
    : item.special
      ? "ended the text"
      : `wrote ${named(item)}`;
  return `${place}: ${did} (probability ${probability})${attention}.`;
}

/** The part of a prompt with its answer that a row belongs to. @param {Scene} scene @param {number} row */
function partNote({ trace, view, output }, row) {
  const { written } = trace.source;
  if (written === undefined || view.rowAxis !== "source") return "";
  const item = view.rows[row];
  if (!item.answer) return ", in the prompt";
  const steps = item.tokens.flatMap((token) => output.steps[token - written] ?? []);
  const chance = steps.reduce((product, { probability }) => product * probability, 1);
  return `, in the answer${steps.length ? ` (probability ${percent(chance)})` : ""}`;
}

/** @param {Scene} scene */
function mapNote(scene) {
  const { row, column, reads } = axisNames(scene);
  const { sinks } = scene.picked ?? {};
  const sum = sinks ? "add up to 1 together with the weight on no column" : "add up to 1";
  return `Attention is how much the model looks at each ${column} while it ${reads ? "reads" : "writes"} an ${row}: each row is an ${row}, and its numbers ${sum}.`;
}

/** The two texts, the output as far as it is written. @param {Scene} scene @param {number} [until] @returns {HeadLine[]} */
function headLines(scene, until = Infinity) {
  const { rows, rowText, columnText } = scene.view;
  const { row, column } = scene.kind.lines(scene);
  const shown = until >= rows.length - 1 ? Infinity : (rows[until]?.end ?? 0);
  return [
    { name: column, text: columnText, shown: Infinity },
    { name: row, text: rowText, shown },
  ];
}
