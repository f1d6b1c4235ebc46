/** The request for an audit, and its progress. */

/** @import {Audit} from "../../core/wire" */
/** @import {PictureTrace, Trace} from "../../core/types" */

import { TRANSLATE, reached, refusal } from "../../core/api.js";
import { eventsOf } from "../../core/stream.js";

/** @typedef {{removal: "block" | "silence", layer: number | null, head: number | null}} Choices */

/** The body of the audit of a trace: the same request, without its edits. @param {Trace} trace @param {Choices} choices */
export function auditBody({ model, request }, { removal, layer, head }) {
  const { text, target, search } = request;
  return {
    model: model.id,
    text,
    ...(target === null ? { search } : { target }),
    removal,
    ...(layer !== null && { layer }),
    ...(head !== null && { head }),
  };
}

/** The fields of the audit of a photo's trace, without the photo. @param {PictureTrace} trace @param {Choices} choices @returns {[string, string][]} */
export function auditFields({ model, request, question }, { removal, layer, head }) {
  const { target, search } = request;
  return [
    ["model", model.id],
    ...(question ? [/** @type {[string, string]} */ (["question", question.text])] : []),
    target === null ? ["search", JSON.stringify(search)] : ["target", target],
    ["removal", removal],
    ...optional("layer", layer),
    ...optional("head", head),
  ];
}

/** @param {string} name @param {number | null} value @returns {[string, string][]} */
const optional = (name, value) => (value === null ? [] : [[name, String(value)]]);

/**
 * The audit of a text.
 * @param {Trace} trace @param {Choices} choices @param {AbortSignal} signal @param {(share: number) => void} progress
 */
export const auditOfText = (trace, choices, signal, progress) =>
  auditOf(
    TRANSLATE,
    {
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(auditBody(trace, choices)),
    },
    signal,
    progress,
  );

/**
 * The audit of a photo.
 * @param {PictureTrace} trace @param {Blob} photo @param {Choices} choices @param {AbortSignal} signal @param {(share: number) => void} progress
 */
export function auditOfPhoto(trace, photo, choices, signal, progress) {
  const body = new FormData();
  body.append("image", photo);
  for (const [name, value] of auditFields(trace, choices)) body.append(name, value);
  return auditOf(`/api/v1/${trace.question ? "ask" : "caption"}`, { body }, signal, progress);
}

/**
 * @param {string} path of the run @param {{headers?: Record<string, string>, body: BodyInit}} call @param {AbortSignal} signal
 * @param {(share: number) => void} progress @returns {Promise<Audit>}
 */
async function auditOf(path, { headers, body }, signal, progress) {
  const response = await reached(
    fetch(`${path}/audit`, {
      method: "POST",
      headers: { ...headers, Accept: "text/event-stream" },
      body,
      signal,
    }),
    signal,
  );
  if (!response.ok) throw refusal(response, await response.json().catch(() => null));
  const reading = (/** @type {Promise<any>} */ read) => reached(read, signal);
  for await (const { name, data } of eventsOf(response, reading)) {
    if (name === "error") throw refusal(response, JSON.parse(data));
    if (name === "audit") return JSON.parse(data);
    const { rows, of } = JSON.parse(data);
    progress(Math.min(rows / of, 1));
  }
  throw refusal(response, null);
}
