/** The answer at hand, told more fully: vectors that it came without, once they are looked at. Pure. */

/** @import {Model, Settings, Trace, TranslateBody} from "../core/types" */

import { requestBody } from "./request.js";
import { question } from "../core/saved.js";
import { hypotheses } from "../core/trace.js";

/**
 * What to ask for them; null where nothing is missing, where the trace still grows, and where the
 * weights that wrote it are not here.
 * @param {Trace} trace @param {Settings} settings @param {Model} model @returns {TranslateBody | null}
 */
export function bodyOfMore(trace, settings, model) {
  if (trace.finish === "writing" || trace.model.weights !== model.weights) return null;
  const body = requestBody({ ...settings, ...question(trace, model) }, model);
  return body.vectors && trace.request.vectors !== body.vectors ? body : null;
}

/** Whether both are one answer, however much of it was told. @param {Trace} one @param {Trace} other */
export function sameAnswer(one, other) {
  const texts = (/** @type {Trace} */ trace) => JSON.stringify(hypotheses(trace).map(({ target }) => target.tokens.map(({ id }) => id)));
  return texts(one) === texts(other);
}
