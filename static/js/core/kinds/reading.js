/** A sentence that is read word by word with a memory tape (Cheng et al. 2016): its words, sentences and notes. Pure. */

/** @import {ModelKind, Scene, Trace} from "../types" */
/** @import {TextSteps} from "./tokens.js" */

import { TAPE_PARTS } from "../step_parts.js";
import { mapArrays } from "../map_scene.js";
import { sceneOf } from "../scene.js";
import { attending } from "../sentences.js";
import { DEFAULTS } from "../state.js";
import { named, percent } from "../text.js";
import { stepsOf } from "../trace.js";
import { tokens } from "./tokens.js";

/** @type {ModelKind<"reading"> & TextSteps} */
export const reading = {
  ...tokens,
  name: "reading",
  // Without a step, the scene is at the word that leans farthest back.
  sceneOf: (trace, settings, model) =>
    sceneOf(
      trace,
      { ...DEFAULTS, ...settings, step: settings.step ?? farthestBack(trace) },
      model,
      reading,
    ),
  arrays: mapArrays,
  partsOf: () => TAPE_PARTS,
  rowName: "word",
  lines: () => ({ row: "Word", column: "Earlier word" }),
  sentence,
  mapNote: () =>
    "Each row is a word: how much the network leans on the start and on each word before it when it predicts that word. The numbers of a row add up to 1.",
};

/** The row with the largest product of a weight and the distance to its word. @param {Trace} trace */
function farthestBack({ maps }) {
  const reaches = (maps[0]?.weights ?? []).map((row, place) =>
    Math.max(...row.map((weight, column) => weight * (place + 1 - column))),
  );
  return Math.max(reaches.indexOf(Math.max(...reaches)), 0);
}

/** The sentence of a word that was read: its probability, and the words that it leans on. @param {Scene} scene @param {number} row */
function sentence(scene, row) {
  const { view } = scene;
  const chance = percent(
    stepsOf(scene, row).reduce((product, { probability }) => product * probability, 1),
  );
  const place = `Word ${row + 1} of ${view.rows.length}: ${named(view.rows[row])}`;
  const leaning = view.weights ? attending(view.weights[row], view.columns, ["leaning", "on"]) : "";
  return `${place} (probability ${chance})${leaning}.`;
}
