/** Traces that came without their maps. Few are, so that what loads the maps is loaded with the first. */

/** @import {Model, PageSettings, PictureTrace, Trace} from "../core/types" */

import { reached } from "../core/api.js";

const linkedMaps = () => import("../core/linked_maps.js");

/**
 * The trace, with the maps that are shown first if it came without any.
 * @template {Trace | PictureTrace} T
 * @param {T} trace @param {PageSettings} settings @param {Model} model @param {AbortSignal} signal
 */
export async function opened(trace, settings, model, signal) {
  if (!trace.run) return trace;
  const { load, withMaps } = await reached(linkedMaps());
  return load(withMaps(trace), settings, model, signal);
}

/**
 * The trace with the maps that settings show; null for one that has all of them.
 * @template {Trace | PictureTrace} T
 * @param {T} trace @param {PageSettings} settings @param {Model} model @param {AbortSignal} signal
 */
export const load = (trace, settings, model, signal) =>
  trace.run ? linkedMaps().then(({ load }) => load(trace, settings, model, signal)) : null;

/** The trace with all its maps, for a file. @template {Trace | PictureTrace} T @param {T} trace */
export const whole = async (trace) => (trace.run ? (await linkedMaps()).whole(trace) : trace);
