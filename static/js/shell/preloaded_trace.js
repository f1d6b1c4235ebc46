/** The answer that came with the page, which saves a request. */

/** @import {AnyTrace} from "../core/types" */

import { box } from "../draw/dom.js";

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
