/** Calls to the server. A refusal becomes an `ApiError` with the message of the server. */

/** @import {AnyTrace, SavedTrace, Trace, TranslateBody} from "./types" */

import { eventReader, startedTrace, withStep } from "./stream.js";

export const TRANSLATE = "/api/v1/translate";
const TRACES = "/api/v1/traces";
const EVENTS = "text/event-stream";

export class ApiError extends Error {
  /**
   * @param {string} code @param {string} message @param {string | null} field
   * @param {number | null} retryAfter seconds until another attempt, if the server names them
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
 * @param {(trace: Trace, since: number) => void} [grows] gets the trace as it grows, and the step from which on it is new
 * @returns {Promise<Trace>}
 */
export const translate = (body, signal, grows) => postJson(TRANSLATE, body, signal, grows);

/**
 * @template {AnyTrace} T
 * @param {string} url @param {object} body @param {AbortSignal} signal
 * @param {(trace: T, since: number) => void} [grows] gets the trace as it grows
 * @returns {Promise<T>}
 */
export function postJson(url, body, signal, grows) {
  return post(
    url,
    { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) },
    signal,
    grows,
  );
}

/**
 * @template {AnyTrace} T
 * @param {string} url @param {{headers?: Record<string, string>, body: BodyInit}} call @param {AbortSignal} signal
 * @param {(trace: T, since: number) => void} [grows] @returns {Promise<T>}
 */
export async function post(url, { headers, body }, signal, grows) {
  const accept = grows ? `${EVENTS}, application/json;q=0.5` : "application/json";
  const response = await reached(
    fetch(url, { method: "POST", headers: { ...headers, Accept: accept }, body, signal }),
    signal,
  );
  if (grows && response.ok && response.headers.get("Content-Type")?.startsWith(EVENTS))
    return reached(followed(response, grows), signal);
  const answer = await response.json().catch(() => null);
  if (response.ok && answer) return answer;
  throw refusal(response, answer);
}

/**
 * The response, or an error where the server cannot be reached.
 * @template T @param {Promise<T>} request @param {AbortSignal | null} [signal] @returns {Promise<T>}
 */
export async function reached(request, signal) {
  try {
    return await request;
  } catch (error) {
    if (signal?.aborted || error instanceof ApiError) throw error;
    throw new ApiError(
      "unreachable",
      "The server does not respond. Check that it is running.",
      null,
    );
  }
}

/**
 * Reads a stream to its end.
 * @template {AnyTrace} T
 * @param {Response} response @param {(trace: T, since: number) => void} grows @returns {Promise<T>}
 */
async function followed(response, grows) {
  const events = eventReader();
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const letters = new TextDecoder();
  /** @type {T | null} */
  let trace = null;
  for (;;) {
    const { done, value } = await reader.read();
    if (done)
      throw new ApiError(
        "unreadable",
        "The connection was lost before the answer was complete.",
        null,
      );
    for (const { name, data } of events(letters.decode(value, { stream: true }))) {
      if (name === "trace") return JSON.parse(data);
      if (name === "error") throw refusal(response, JSON.parse(data));
      if (name === "start") trace = startedTrace(JSON.parse(data));
      if (name !== "step" || !trace) continue;
      const step = JSON.parse(data);
      trace = withStep(trace, step);
      grows(trace, step.since);
    }
  }
}

/** @param {Response} response @param {{error?: {code: string, message?: string, field?: string}} | null} answer */
export function refusal(response, answer) {
  const wait = Number(response.headers.get("Retry-After")) || null;
  const retryAfter = response.status === 503 ? (wait ?? 2) : null;
  const { code = "unreadable", message, field } = answer?.error ?? {};
  if (typeof message === "string") return new ApiError(code, message, field ?? null, retryAfter);
  return new ApiError(
    "unreadable",
    `The server answered with status ${response.status} and no message.`,
    null,
    retryAfter,
  );
}

/** @param {AnyTrace} trace @returns {Promise<SavedTrace>} */
export function saveTrace(trace) {
  return call(TRACES, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(trace),
  });
}

/** @param {string} id @param {AbortSignal} signal @returns {Promise<AnyTrace>} */
export function loadTrace(id, signal) {
  return call(`${TRACES}/${id}`, { signal });
}

/** @param {string} id @param {string} key @returns {Promise<void>} */
export function deleteTrace(id, key) {
  return call(`${TRACES}/${id}`, { method: "DELETE", headers: { Authorization: `Bearer ${key}` } });
}

/**
 * The response of this media type at a path of the server.
 * @param {string} path @param {string} media @param {AbortSignal | null} [signal]
 */
export async function read(path, media, signal) {
  const response = await reached(fetch(path, { headers: { Accept: media }, signal }), signal);
  if (response.ok) return response;
  throw refusal(response, await response.json().catch(() => null));
}

/** @template T @param {string} url @param {RequestInit} options @returns {Promise<T>} */
async function call(url, options) {
  const response = await reached(fetch(url, options), options.signal);
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw refusal(response, answer);
  return answer;
}

/** Faster answers are shown complete: a view that grows this fast only flickers. */
const GROWING_MS = 150;

/**
 * Shows a growing trace once it takes a while, at most once a frame, until it is complete.
 * @template T @param {AbortSignal} signal @param {(trace: T, since: number) => void} show
 */
export function gradually(signal, show) {
  const from = performance.now() + GROWING_MS;
  /** @type {{trace: T, since: number} | null} */
  let newest = null;
  const frame = () => {
    if (newest && !signal.aborted) show(newest.trace, newest.since);
    newest = null;
  };
  return {
    push: (/** @type {T} */ trace, /** @type {number} */ since) => {
      if (performance.now() < from) return;
      if (!newest) requestAnimationFrame(frame);
      newest = { trace, since: Math.min(since, newest?.since ?? since) };
    },
    end: () => (newest = null),
  };
}
