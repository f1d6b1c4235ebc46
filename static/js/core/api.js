/** Calls to the server. What it refuses comes back as an `ApiError` with its own sentence. */

/** @import {SavedTrace, Trace, TranslateBody} from "./types" */

import { begun, eventReader, grown } from "./stream.js";

export const TRANSLATE = "/api/v1/translate";
const TRACES = "/api/v1/traces";
const EVENTS = "text/event-stream";

export class ApiError extends Error {
  /**
   * @param {string} code @param {string} message @param {string | null} field
   * @param {number | null} retryAfter seconds, where the server says when to come back
   */
  constructor(code, message, field, retryAfter = null) {
    super(message);
    this.code = code;
    this.field = field;
    this.retryAfter = retryAfter;
  }
}

/**
 * @param {TranslateBody} body @param {AbortSignal} signal
 * @param {(trace: Trace) => void} [grows] told of the trace as it grows, step by step
 * @returns {Promise<Trace>}
 */
export function translate(body, signal, grows) {
  return ask(TRANSLATE, { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }, signal, grows);
}

/**
 * @param {string} url @param {{headers?: Record<string, string>, body: BodyInit}} call @param {AbortSignal} signal
 * @param {(trace: Trace) => void} [grows] @returns {Promise<Trace>}
 */
export async function ask(url, { headers, body }, signal, grows) {
  const accept = grows ? `${EVENTS}, application/json;q=0.5` : "application/json";
  const response = await reached(fetch(url, { method: "POST", headers: { ...headers, Accept: accept }, body, signal }), signal);
  if (grows && response.ok && response.headers.get("Content-Type")?.startsWith(EVENTS)) return reached(followed(response, grows), signal);
  const answer = await response.json().catch(() => null);
  if (response.ok && answer) return answer;
  throw refusal(response, answer);
}

/**
 * What comes of asking; where nobody answers, an error that says so.
 * @template T @param {Promise<T>} asking @param {AbortSignal | null} [signal] @returns {Promise<T>}
 */
async function reached(asking, signal) {
  try {
    return await asking;
  } catch (error) {
    if (signal?.aborted || error instanceof ApiError) throw error;
    throw new ApiError("unreachable", "The server does not answer. Is it still running?", null);
  }
}

/** Reads a stream to its end. @param {Response} response @param {(trace: Trace) => void} grows @returns {Promise<Trace>} */
async function followed(response, grows) {
  const events = eventReader();
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const letters = new TextDecoder();
  /** @type {Trace | null} */
  let trace = null;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new ApiError("unreadable", "The answer broke off. Try again.", null);
    for (const { name, data } of events(letters.decode(value, { stream: true }))) {
      const told = JSON.parse(data);
      if (name === "trace") return told;
      if (name === "error") throw refusal(response, told);
      if (name === "start") trace = begun(told);
      if (name === "step" && trace) grows((trace = grown(trace, told)));
    }
  }
}

/** @param {Response} response @param {any} answer */
function refusal(response, answer) {
  const wait = Number(response.headers.get("Retry-After")) || null;
  const retryAfter = response.status === 503 ? (wait ?? 2) : null;
  const { code, message, field } = answer?.error ?? {};
  if (typeof message === "string") return new ApiError(code, message, field ?? null, retryAfter);
  return new ApiError("unreadable", `The server answered ${response.status} and said no more.`, null, retryAfter);
}

/** @param {Trace} trace @returns {Promise<SavedTrace>} */
export function saveTrace(trace) {
  return call(TRACES, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(trace) });
}

/** @param {string} id @param {AbortSignal} signal @returns {Promise<Trace>} */
export function loadTrace(id, signal) {
  return call(`${TRACES}/${id}`, { signal });
}

/** @param {string} id @param {string} key @returns {Promise<void>} */
export function deleteTrace(id, key) {
  return call(`${TRACES}/${id}`, { method: "DELETE", headers: { Authorization: `Bearer ${key}` } });
}

/** @param {string} url @param {RequestInit} options @returns {Promise<any>} */
async function call(url, options) {
  const response = await reached(fetch(url, options), options.signal);
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw refusal(response, answer);
  return answer;
}

/** What takes no longer is shown at once: a picture that grows that fast only flickers. */
const GROWING_MS = 150;

/**
 * What to do with a trace that grows: once it takes a while it is shown as it is, at most once a
 * frame, until it is whole.
 * @template T @param {AbortSignal} signal @param {(trace: T) => void} show
 */
export function gradually(signal, show) {
  const from = performance.now() + GROWING_MS;
  /** @type {T | null} */
  let newest = null;
  const frame = () => {
    if (newest && !signal.aborted) show(newest);
    newest = null;
  };
  return {
    tell: (/** @type {T} */ trace) => {
      if (performance.now() < from) return;
      if (!newest) requestAnimationFrame(frame);
      newest = trace;
    },
    end: () => (newest = null),
  };
}
