/** The answer that came with the page: the example that it opens on, so that nothing has to be asked. */

/** @import {Trace, TranslateBody} from "../types" */

/** The answer, if it is one to this question. @param {TranslateBody} body @returns {Trace | null} */
export function served({ text, model, target, search, vectors }) {
  const given = document.getElementById("example")?.textContent;
  if (!given || target !== undefined || search || vectors) return null;
  /** @type {Trace} */
  const trace = JSON.parse(given);
  return trace.request.text === text && trace.model.id === model ? trace : null;
}
