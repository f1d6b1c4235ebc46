/** The scene of a trace whose rows and columns are not words: what all of these have in common. Pure. */

/** @import {Axes, Item, Kind, MapChoices, MapSettings, Model, ModelKind, Output, View} from "./types" */

import { fittingView } from "./views.js";
import { selectedAmong } from "./selection.js";
import { choices, differenceOfMaps, items, rowOf } from "./trace.js";

/**
 * Settings that do not fit the trace fall back to the nearest that does.
 * @template {"sentences" | "graph" | "glimpses"} A
 * @param {ModelKind<A>} kind @param {Axes[A]["trace"]} trace
 * @param {MapSettings & {step: number | null}} settings @param {Model} model
 * @param {{found: MapChoices, start: number, steps: number, columns?: Item[], view?: Partial<View>}} own the maps to choose from, the row without a step in the settings, and the number of parts of a step
 */
export function mapScene(kind, trace, settings, model, { found, start, steps, columns, view }) {
  const { name: viewName, parts: showsParts } = fittingView(kind.name, settings.view, found);
  const parts = showsParts ? steps : 1;
  const rows = items(trace.target, "words");
  const read = columns ?? items(/** @type {Parameters<typeof items>[0]} */ (trace.source), "words");
  return {
    kind: /** @type {Kind} */ (kind),
    trace,
    output: trace,
    model,
    view: {
      rows,
      columns: read,
      rowAxis: /** @type {const} */ ("target"),
      columnAxis: /** @type {const} */ ("source"),
      rowText: trace.target.text,
      columnText: "",
      weights: found.picked?.weights ?? null,
      scores: found.picked?.scores ?? null,
      ...(settings.editing === "difference" && { difference: changed(trace, found) }),
      ...view,
    },
    rows,
    row: rowOf(rows, settings.step ?? start),
    units: /** @type {const} */ ("words"),
    mergeable: false,
    scale: settings.scale,
    log: settings.log,
    viewName,
    parts,
    part: Math.min(settings.part ?? parts - 1, parts - 1),
    ...found,
    pick: 0,
    selection: {
      rows: selectedAmong(rows, settings.rows),
      columns: selectedAmong(read, settings.columns),
    },
    speed: settings.speed,
    show: settings.show,
  };
}

/**
 * The changes that the edits of a trace made to the map that is shown; null if it has none, or if
 * the weights before are not loaded yet.
 * @param {{baseline?: unknown}} trace @param {Pick<MapChoices, "picked" | "pool">} found
 */
export function changed({ baseline }, { picked, pool }) {
  if (!baseline || !picked) return null;
  const { kind, layer, head } = picked;
  const wanted = { map: kind, layer, head: pool ? null : head, pool };
  const before = choices(/** @type {Output} */ (baseline), wanted).picked;
  return before?.weights.length ? differenceOfMaps(picked, before, Infinity).weights : null;
}

/** A map as arrays for NumPy: `weights` by layer, head, row and column. @param {{view: View}} scene */
export const mapArrays = ({ view: { rows, columns, weights } }) => ({
  weights: { shape: [1, 1, rows.length, columns.length], data: (weights ?? []).flat() },
  source: { shape: [columns.length], data: columns.map(({ text }) => text) },
  target: { shape: [rows.length], data: rows.map(({ text }) => text) },
});
