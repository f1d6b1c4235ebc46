/** Requests the vectors that a view shows and the trace lacks. */

/** @import {Store} from "../core/store.js" */
/** @import {BaseScene, BaseSettings, BaseTrace, Page} from "./types" */

import { ApiError } from "../core/api.js";
import { SLOW_MS } from "./pending_request.js";

/**
 * @template {BaseSettings} S
 * @template {BaseTrace} T
 * @template {BaseScene<T>} C
 */
export class MissingVectors {
  #page;
  #store;
  /** The trace whose vectors were requested, so that a failed request is not repeated. @type {T | null} */
  #requested = null;

  /** @param {Page<S, T, C>} page @param {Store<S, T>} store */
  constructor(page, store) {
    this.#page = page;
    this.#store = store;
  }

  /** The request for the missing vectors; null if none are missing. @param {S} settings */
  request(settings) {
    const { trace, model } = this.#store.answer ?? {};
    return trace && model && trace !== this.#requested
      ? (this.#page.refetch?.(trace, settings, model) ?? null)
      : null;
  }

  /**
   * Requests the same answer with more vectors, which is then drawn; if that is slow or fails, the
   * answer is drawn without them.
   * @param {(signal: AbortSignal) => Promise<T | null>} fetch
   * @param {AbortSignal} signal @param {() => void} draw
   */
  async fetch(fetch, signal, draw) {
    const { answer } = this.#store;
    this.#requested = answer?.trace ?? null;
    const slow = setTimeout(draw, SLOW_MS);
    /** @type {T | null} */
    let trace = null;
    try {
      trace = await fetch(signal);
    } catch (error) {
      if (!signal.aborted && !(error instanceof ApiError)) throw error;
    } finally {
      clearTimeout(slow);
    }
    if (signal.aborted) return;
    if (trace && answer)
      this.#store.dispatch({ answer: { ...answer, trace, since: 0 } }, { history: "none" });
    else draw();
  }
}
