/** The requests for an audit and its figures on demand, and their progress. */

/** @import {AuditProgress} from "../../core/wire" */
/** @import {PictureTrace, Trace} from "../../core/types" */

import { TRANSLATE, reached, refusal } from "../../core/api.js";
import { eventsOf } from "../../core/stream.js";

/**
 * Whose attention is audited, how a key is taken, and another figure than those that are shown first.
 * @typedef {{
 *   removal: "block" | "silence", layer: number | null, head: number | null,
 *   figure?: "contrast" | "rewritten" | "orders" | "curves", row?: number, other?: string,
 *   unit?: "edge" | "word",
 * }} Choices
 */

/** @typedef {(share: number, part: AuditProgress["part"]) => void} OnProgress */

/** @param {Choices} choices @returns {[string, string | number][]} */
const optional = ({ layer, head, figure, row, other, unit }) =>
  Object.entries({ layer, head, figure, row, other, unit }).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, value]],
  );

/** The body of the audit of a trace: the same request, without its edits. @param {Trace} trace @param {Choices} choices */
export function auditBody({ model, request }, choices) {
  const { text, target, search } = request;
  return /** @type {Record<string, any>} */ ({
    model: model.id,
    text,
    ...(target === null ? { search } : { target }),
    removal: choices.removal,
    ...Object.fromEntries(optional(choices)),
  });
}

/** The fields of the audit of a photo's trace, without the photo. @param {PictureTrace} trace @param {Choices} choices @returns {[string, string][]} */
export function auditFields({ model, request, question }, choices) {
  const { target, search } = request;
  return [
    ["model", model.id],
    ...(question ? [/** @type {[string, string]} */ (["question", question.text])] : []),
    target === null ? ["search", JSON.stringify(search)] : ["target", target],
    ["removal", choices.removal],
    ...optional(choices).map(
      ([name, value]) => /** @type {[string, string]} */ ([name, String(value)]),
    ),
  ];
}

/** @typedef {{path: string, headers?: Record<string, string>, body: BodyInit}} Call */

/** The audit of a text. @param {Trace} trace @param {Choices} choices @returns {Call} */
export const auditOfText = (trace, choices) => ({
  path: `${TRANSLATE}/audit`,
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(auditBody(trace, choices)),
});

/** The audit of a photo. @param {PictureTrace} trace @param {Blob} photo @param {Choices} choices @returns {Call} */
export function auditOfPhoto(trace, photo, choices) {
  const body = new FormData();
  body.append("image", photo);
  for (const [name, value] of auditFields(trace, choices)) body.append(name, value);
  return { path: `/api/v1/${trace.question ? "ask" : "caption"}/audit`, body };
}

/**
 * The figure of a call, and its progress until it is done.
 * @param {Call} call @param {AbortSignal} signal @param {OnProgress} progress @returns {Promise<any>}
 */
export async function figureOf(call, signal, progress) {
  const response = await answered(call, "text/event-stream", signal);
  const reading = (/** @type {Promise<any>} */ read) => reached(read, signal);
  for await (const { name, data } of eventsOf(response, reading)) {
    if (name === "error") throw refusal(response, JSON.parse(data));
    if (name === "audit") return JSON.parse(data);
    const { rows, of, part } = JSON.parse(data);
    progress(Math.min(rows / of, 1), part);
  }
  throw refusal(response, null);
}

/** The arrays of a figure. @param {Call} call @param {AbortSignal} signal */
export const arraysOf = async (call, signal) =>
  reached((await answered(call, "application/x-npz", signal)).blob(), signal);

/** @param {Call} call @param {string} accept @param {AbortSignal} signal */
async function answered({ path, headers, body }, accept, signal) {
  const method = "POST";
  const response = await reached(
    fetch(path, { method, headers: { ...headers, Accept: accept }, body, signal }),
    signal,
  );
  if (!response.ok) throw refusal(response, await response.json().catch(() => null));
  return response;
}
