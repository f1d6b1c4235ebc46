/** The request for vectors that an answer came without, once a view shows them. Pure. */

/** @import {Model, Settings, Trace, TranslateBody} from "../../core/types" */

import { requestBody, requestSettings } from "../../core/token_request.js";
import { hypotheses } from "../../core/trace.js";

/**
 * The body of the request; null where nothing is missing, where the trace still grows, and where
 * the weights of its model are not installed.
 * @param {Trace} trace @param {Settings} settings @param {Model} model @returns {TranslateBody | null}
 */
export function refetchBody(trace, settings, model) {
  if (trace.finish === "writing" || trace.model.weights !== model.weights) return null;
  const body = requestBody({ ...settings, ...requestSettings(trace) }, model);
  return body.vectors && trace.request.vectors !== body.vectors ? body : null;
}

/** Returns true if both are the same answer, with or without vectors. @param {Trace} one @param {Trace} other */
export function sameAnswer(one, other) {
  const texts = (/** @type {Trace} */ trace) =>
    JSON.stringify(hypotheses(trace).map(({ target }) => target.tokens.map(({ id }) => id)));
  return texts(one) === texts(other);
}
