/** The scene of a trace of texts: hypothesis, map, units and row, from the settings. Pure. */

/** @import {AttentionMap, Item, Kind, Model, Output, Scene, Settings, Trace, Units} from "./types" */
/** @import {TextSteps} from "./kinds/tokens.js" */

import { tokens } from "./kinds/tokens.js";
import { bestHead } from "./best_head.js";
import { fittingView } from "./views.js";
import { selectedAmong } from "./selection.js";
import {
  choices,
  differenceOfMaps,
  hypotheses,
  mergeable,
  pieceOf,
  rowOf,
  viewOf,
} from "./trace.js";

/**
 * Settings that do not fit this trace (a layer that it lacks, a step past its end) fall back to the
 * nearest that does, so that every address shows something.
 * @param {Trace} trace @param {Settings} settings @param {Model} model
 * @param {Kind<Scene> & TextSteps} [kind] of the page @returns {Scene}
 */
export function sceneOf(trace, settings, model, kind = tokens) {
  const all = hypotheses(trace);
  const pick = Math.min(settings.pick, all.length - 1);
  const output = all[pick];
  const found = choices(output, settings, bestHead(model));
  const canMerge = mergeable(trace.source) || mergeable(output.target);
  const usual = model.granularity === "characters" ? "subwords" : "words";
  const { name: viewName, parts: showsParts } = fittingView(kind.name, settings.view, {
    ...found,
    trace,
  });
  // A step writes one token: that of a word in several pieces is the first, or the one asked for. The
  // input attends to itself all at once; there, too, the numbers of one head of several can be shown.
  const reading = found.picked?.query === "source";
  const apart =
    showsParts && output.steps.length > 0 && (!reading || trace.model.mechanism === "multihead");
  const units = canMerge ? (settings.units ?? usual) : usual;
  const parts = apart ? kind.partsOf(trace, output, reading).length : 1;
  const piece = (/** @type {Item} */ row) => pieceOf(row, settings.step);
  const view = viewOf(trace, output, found.picked, units, apart ? piece : undefined);
  if (settings.editing === "difference" && pick === 0)
    view.difference = changed(trace, found.picked, settings, bestHead(model), units);
  return {
    kind: /** @type {Kind} */ (kind),
    trace,
    output,
    model,
    view,
    rows: view.rows,
    pieces: view.rows.map(piece),
    row: rowOf(view.rows, settings.step),
    units,
    mergeable: canMerge,
    scale: settings.scale,
    log: settings.log,
    viewName,
    parts,
    part: Math.min(settings.part ?? parts - 1, parts - 1),
    mass: settings.mass / 100,
    least: settings.least / 100,
    links: settings.links ?? (pick ? null : trace.links) ?? null,
    ...found,
    pick,
    selection: {
      rows: selectedAmong(view.rows, settings.rows),
      columns: selectedAmong(view.columns, settings.columns),
    },
    speed: settings.speed,
    show: settings.show,
  };
}

/**
 * The changes that the edits of a trace made to the map that is shown; null if it has none.
 * @param {Trace} trace @param {AttentionMap | null} picked @param {Settings} settings
 * @param {ReturnType<typeof bestHead>} best @param {Units} units
 */
function changed(trace, picked, settings, best, units) {
  const baseline = /** @type {Output | undefined} */ (trace.baseline);
  const before = baseline && choices(baseline, settings, best).picked;
  if (!picked || !before?.weights.length) return null; // it may be loaded later
  const last = picked.query === "source" ? Infinity : (trace.baseline?.parts_at ?? Infinity);
  return viewOf(trace, trace, differenceOfMaps(picked, before, last), units).weights;
}
