/** Calls to the server. A refusal becomes an `ApiError` with the message of the server. */

/** @import {AnyTrace, SavedTrace, Trace, TranslateBody} from "./types" */

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

/** The error where no answer comes. */
export const unreachable = () =>
  new ApiError("unreachable", "The server does not respond. Check that it is running.", null);

/** Headers of a request whose answer nobody asks for again: no cache keeps it. */
export const PASSING = { "Cache-Control": "no-store" };

/**
 * @param {TranslateBody} body @param {AbortSignal} signal
 * @param {(trace: Trace, since: number) => void} [grows] gets the trace as it grows, and the step from which on it is new
 * @param {Record<string, string>} [headers]
 * @returns {Promise<Trace>}
 */
export const translate = (body, signal, grows, headers) =>
  postJson(TRANSLATE, body, signal, grows, headers);

/**
 * @template T
 * @param {string} url @param {object} body @param {AbortSignal | null} signal
 * @param {(trace: T, since: number) => void} [grows] gets the trace as it grows
 * @param {Record<string, string>} [headers]
 * @returns {Promise<T>}
 */
export function postJson(url, body, signal, grows, headers) {
  return post(
    url,
    {
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    },
    signal,
    grows,
  );
}

/**
 * @template T
 * @param {string} url @param {{headers?: Record<string, string>, body: BodyInit}} call @param {AbortSignal | null} signal
 * @param {(trace: T, since: number) => void} [grows] @returns {Promise<T>}
 */
export async function post(url, { headers, body }, signal, grows) {
  const accept = grows ? `${EVENTS}, application/json;q=0.5` : "application/json";
  const response = await reached(
    fetch(url, { method: "POST", headers: { ...headers, Accept: accept }, body, signal }),
    signal,
  );
  if (grows && response.ok && response.headers.get("Content-Type")?.startsWith(EVENTS))
    return reached(/** @type {any} */ (followed)(response, grows), signal);
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
    throw unreachable();
  }
}

/**
 * Reads a stream to its end.
 * @template {AnyTrace} T
 * @param {Response} response @param {(trace: T, since: number) => void} grows @returns {Promise<T>}
 */
async function followed(response, grows) {
  const { follow } = await import("./stream.js");
  const last = await follow(response, grows);
  if (last?.name === "trace") return JSON.parse(last.data);
  if (last) throw refusal(response, JSON.parse(last.data));
  throw new ApiError("unreadable", "The connection was lost before the answer was complete.", null);
}

/**
 * True if a module could not be loaded. Chromium and Firefox name the “dynamically imported module”;
 * Safari says “Importing a module script failed.”
 * @param {any} error
 */
export const isUnloaded = (error) => /imported module|importing a module/i.test(error?.message);

/** @param {Response} response @param {{error?: {code: string, message?: string, field?: string}} | null} answer */
export function refusal(response, answer) {
  const wait = Number(response.headers.get("Retry-After")) || null;
  const retryAfter = [429, 503].includes(response.status) ? (wait ?? 2) : null;
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
