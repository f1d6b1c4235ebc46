/** From a trace and the settings to what is drawn: the hypothesis, the map, the units, the row. Pure. */

/** @import {Model, Scene, Settings, Trace} from "./types" */

import { partsOf } from "../views/step/step_model.js";
import { heldAmong } from "./selection.js";
import { choices, hypotheses, layered, mergeable, rowOf, viewOf } from "./trace.js";

/**
 * Settings that do not fit this trace (a layer it has not, a step past its end) fall back to the
 * nearest that does, so that any address shows something.
 * @param {Trace} trace @param {Settings} settings @param {Model} model @returns {Scene}
 */
export function sceneOf(trace, settings, model) {
  const all = hypotheses(trace);
  const pick = Math.min(settings.pick, all.length - 1);
  const output = all[pick];
  const found = choices(output, settings, bestHead(model));
  const canMerge = mergeable(trace.source) || mergeable(output.target);
  const usual = model.granularity === "characters" ? "subwords" : "words";
  // A step is taken apart token by token: words have no scores.
  // What was read looks at itself all at once; a head of several tells its numbers there, too.
  const reading = found.picked?.query === "source";
  const apart = settings.view === "step" && output.steps.length > 0 && (!reading || trace.model.mechanism === "multihead");
  const units = apart ? "subwords" : canMerge ? (settings.units ?? usual) : usual;
  const parts = apart ? partsOf(trace.model.order, layered(output), reading).length : 1;
  const view = viewOf(trace, output, found.picked, units);
  return {
    trace,
    output,
    model,
    view,
    row: rowOf(view.rows, settings.step),
    units,
    mergeable: canMerge && !apart,
    scale: settings.scale,
    log: settings.log,
    // Where there is one head there is nothing to lay side by side.
    viewName: settings.view === "heads" && found.heads.length * found.layers.length < 2 ? "map" : settings.view,
    parts,
    part: Math.min(settings.part ?? parts - 1, parts - 1),
    mass: settings.mass / 100,
    ...found,
    pick,
    held: { rows: heldAmong(view.rows, settings.rows), columns: heldAmong(view.columns, settings.columns) },
    speed: settings.speed,
    show: settings.show,
  };
}

/**
 * The head that looks at the right word, or the right place, most often, as measured; the one to show
 * first. None where nobody has measured.
 * @param {Model} model
 */
export function bestHead({ quality }) {
  const measured = Object.entries(quality).flatMap(([name, value]) => {
    const place = /^(?:alignment|scenes)_layer(\d+)_head(\d+)$/.exec(name);
    return place ? [{ layer: Number(place[1]), head: Number(place[2]), value }] : [];
  });
  return measured.sort((a, b) => b.value - a.value)[0] ?? null;
}

/**
 * What to read for a row's steps: a row of the source (self-attention of an encoder) has none.
 * @param {Scene} scene @param {number} row
 */
export function stepsOf(scene, row) {
  if (scene.view.rowAxis !== "target") return [];
  return (scene.view.rows[row]?.tokens ?? []).flatMap((token) => scene.output.steps[token] ?? []);
}
