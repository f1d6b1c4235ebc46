/** Requests the vectors that a view shows and the trace lacks. */

/** @import {BaseScene, BaseSettings, BaseTrace, Page} from "./types" */
/** @import {Stage} from "./stage.js" */

import { ApiError } from "../core/api.js";
import { SLOW_MS } from "./pending_request.js";

/**
 * @template {BaseSettings} S
 * @template {BaseTrace} T
 * @template {BaseScene<T>} C
 */
export class MissingVectors {
  #page;
  #stage;
  /** The trace whose vectors were requested, so that a failed request is not repeated. @type {T | null} */
  #requested = null;

  /** @param {Page<S, T, C>} page @param {Stage<S, T, C>} stage */
  constructor(page, stage) {
    this.#page = page;
    this.#stage = stage;
  }

  /** The request for the missing vectors; null if none are missing. @param {S} settings */
  request(settings) {
    const { scene } = this.#stage;
    return scene && scene.trace !== this.#requested
      ? (this.#page.refetch?.(scene.trace, settings, scene.model) ?? null)
      : null;
  }

  /**
   * Requests the same answer with more vectors, and draws it; if that is slow, the answer is drawn
   * without them first.
   * @param {(signal: AbortSignal) => Promise<T | null>} fetch
   * @param {AbortSignal} signal @param {() => void} draw
   */
  async fetch(fetch, signal, draw) {
    this.#requested = this.#stage.scene?.trace ?? null;
    const slow = setTimeout(draw, SLOW_MS);
    try {
      const trace = await fetch(signal);
      if (trace && !signal.aborted) this.#stage.complete(trace);
    } catch (error) {
      if (!signal.aborted && !(error instanceof ApiError)) throw error;
    } finally {
      clearTimeout(slow);
    }
    if (!signal.aborted) draw();
  }
}
