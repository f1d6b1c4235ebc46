/** The answer that came with the page, so that it has not to be asked for. */

/** @import {Model, Trace, TranslateBody} from "../core/types" */

import { requestBody } from "../text_page/request.js";
import { question } from "../core/saved.js";
import { DEFAULTS } from "../core/state.js";
import { box } from "./dom.js";

/** The answer, if it is one to this question. @param {TranslateBody} body @param {Model} model @returns {Trace | null} */
export function served(body, model) {
  const trace = came();
  if (!trace) return null;
  const asked = requestBody({ ...DEFAULTS, ...question(trace, model) }, model);
  const { vectors, ...wanted } = body;
  const told = !vectors || trace.request.vectors === vectors;
  return told && trace.model.id === model.id && JSON.stringify(asked) === JSON.stringify(wanted) ? trace : null;
}

/** The saved trace of this id, the first time it is asked for: later it may be deleted. @param {string} id @returns {Trace | null} */
export function servedAs(id) {
  const trace = came(id);
  if (trace) box("example").remove();
  return trace;
}

/** @param {string} [saved] id under which it is saved, if it is @returns {Trace | null} */
function came(saved) {
  const given = document.getElementById("example");
  return given?.textContent && given.dataset.saved === saved ? JSON.parse(given.textContent) : null;
}
