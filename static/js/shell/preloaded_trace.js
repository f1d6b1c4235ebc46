/** The answer that came with the page, which saves a request. */

/** @import {AnyTrace, Model, Trace, TranslateBody} from "../core/types" */

import { requestBody } from "../core/token_request.js";
import { requestSettings } from "../core/saved.js";
import { DEFAULTS } from "../core/state.js";
import { box } from "../draw/dom.js";

/** The answer inside the page, if it is that to this request. @param {TranslateBody} body @param {Model} model @returns {Trace | null} */
export function preloaded(body, model) {
  const trace = /** @type {Trace | null} */ (inlined());
  if (!trace) return null;
  const answered = requestBody({ ...DEFAULTS, ...requestSettings(trace) }, model);
  const { vectors, ...wanted } = body;
  const enough = !vectors || trace.request.vectors === vectors;
  return enough &&
    trace.model.id === model.id &&
    JSON.stringify(answered) === JSON.stringify(wanted)
    ? trace
    : null;
}

/** The saved trace of this id, only once: later it may have been deleted. @param {string} id @returns {AnyTrace | null} */
export function preloadedSaved(id) {
  const trace = inlined(id);
  if (trace) box("example").remove();
  return trace;
}

/** The trace inside the page. @param {string} [saved] the id of a saved one @returns {AnyTrace | null} */
export function inlined(saved) {
  const inline = document.getElementById("example");
  return inline?.textContent && inline.dataset.saved === saved
    ? JSON.parse(inline.textContent)
    : null;
}
