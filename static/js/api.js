/** Calls to the server. What it refuses comes back as an `ApiError` with its own sentence. */

/** @import {Trace, TranslateBody} from "./types" */

export const TRANSLATE = "/api/v1/translate";

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
 * @param {TranslateBody} body @param {AbortSignal} signal @returns {Promise<Trace>}
 */
export async function translate(body, signal) {
  let response;
  try {
    response = await fetch(TRANSLATE, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ApiError("unreachable", "The server does not answer. Is it still running?", null);
  }
  const answer = await response.json().catch(() => null);
  if (response.ok && answer) return answer;
  throw refusal(response, answer);
}

/** @param {Response} response @param {any} answer */
function refusal(response, answer) {
  const wait = Number(response.headers.get("Retry-After")) || null;
  const retryAfter = response.status === 503 ? (wait ?? 2) : null;
  const { code, message, field } = answer?.error ?? {};
  if (typeof message === "string") return new ApiError(code, message, field ?? null, retryAfter);
  return new ApiError("unreadable", `The server answered ${response.status} and said no more.`, null, retryAfter);
}
