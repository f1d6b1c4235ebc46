/** The request for an audit, and its progress. */

/** @import {Audit} from "../../core/wire" */
/** @import {Trace} from "../../core/types" */

import { TRANSLATE, reached, refusal } from "../../core/api.js";
import { eventReader } from "../../core/stream.js";

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

/**
 * The audit of a trace.
 * @param {Trace} trace @param {Choices} choices @param {AbortSignal} signal
 * @param {(share: number) => void} progress @returns {Promise<Audit>}
 */
export async function auditOf(trace, choices, signal, progress) {
  const response = await reached(
    fetch(`${TRANSLATE}/audit`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
      body: JSON.stringify(auditBody(trace, choices)),
      signal,
    }),
    signal,
  );
  if (!response.ok) throw refusal(response, await response.json().catch(() => null));
  const events = eventReader();
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const letters = new TextDecoder();
  for (;;) {
    const { done, value } = await reached(reader.read(), signal);
    if (done) throw refusal(response, null);
    for (const { name, data } of events(letters.decode(value, { stream: true }))) {
      if (name === "error") throw refusal(response, JSON.parse(data));
      if (name === "audit") return JSON.parse(data);
      const { rows, of } = JSON.parse(data);
      progress(Math.min(rows / of, 1));
    }
  }
}
