/** Loads what a view shows and the trace on screen lacks: maps that its answer left out, and vectors. */

/** @import {Store} from "../core/store.js" */
/** @import {Answer} from "../core/types" */
/** @import {BaseScene, BaseSettings, BaseTrace, Page} from "./types" */

import { ApiError } from "../core/api.js";
import { SLOW_MS } from "./pending_request.js";

/**
 * @typedef {object} Wiring
 * @property {() => AbortSignal} signal of the last request; another one makes what is loaded useless
 * @property {(error: ApiError) => void} failed shows why the maps could not be loaded
 * @property {() => void} accept removes that again
 */

const MOST_RETRIES = 3;
/** For changes that no person made. */
const UNSAID = /** @type {const} */ ({ history: "none" });

/**
 * @template {BaseSettings} S
 * @template {BaseTrace} T
 * @template {BaseScene<T>} C
 */
export class Completion {
  #page;
  #store;
  #wiring;
  /** The maps that are loaded now: those of settings that were left meanwhile are not drawn. @type {Promise<T> | null} */
  #loading = null;
  /** The answer on screen without its maps, and the phase of it before they could not be loaded. @type {{answer: Answer<T> | null, phase: Answer<T>["phase"]} | null} */
  #failure = null;
  /** The last call: of several at once, as those that waited for this module, only the last one loads. @type {(() => void) | null} */
  #due = null;
  /** The trace whose vectors are requested now. @type {T | null} */
  #requested = null;
  /** The request and the head whose vectors did not come: a trace with a row moved does not ask for them again. @type {unknown[]} */
  #lacking = [];
  /** Retries since vectors came last. */
  #retries = 0;

  /** @param {Pick<Page<S, T, C>, "load" | "refetch">} page @param {Store<S, T>} store @param {Wiring} wiring */
  constructor(page, store, wiring) {
    this.#page = page;
    this.#store = store;
    this.#wiring = wiring;
  }

  /** Draws once what the settings show is loaded. An answer with more in it is drawn by those who take it. @param {() => void} draw */
  draw(draw) {
    this.#due = draw;
    queueMicrotask(() => {
      if (this.#due === draw) this.#draw(draw);
    });
  }

  /** @param {() => void} draw */
  #draw(draw) {
    this.#due = null;
    const { answer, drawn } = this.#store;
    const { trace, model } = answer ?? {};
    const signal = this.#wiring.signal();
    const loading =
      trace && model ? (this.#page.load?.(trace, drawn, model, signal) ?? null) : null;
    this.#loading = loading;
    if (!trace || !loading) return this.#drawWithVectors(draw);
    loading.then(
      (loaded) => {
        if (this.#loading === loading) this.#loaded(trace, loaded, draw);
      },
      (error) => {
        if (signal.aborted || this.#loading !== loading) return;
        if (!(error instanceof ApiError)) throw error;
        this.#failed(error);
      },
    );
  }

  /** @param {T} trace @param {T} loaded with the maps that are shown @param {() => void} draw */
  #loaded(trace, loaded, draw) {
    const { answer } = this.#store;
    if (!answer || answer.trace !== trace) return this.draw(draw);
    const phase = this.#failure?.answer === answer ? this.#failure.phase : answer.phase;
    if (loaded === trace && phase === answer.phase) return this.#drawWithVectors(draw);
    if (phase !== answer.phase) this.#wiring.accept();
    this.#store.dispatch({ answer: { ...answer, phase, trace: loaded, since: 0 } }, UNSAID);
  }

  /** @param {ApiError} error */
  #failed(error) {
    const { answer } = this.#store;
    const before = this.#failure?.answer === answer ? this.#failure?.phase : answer?.phase;
    this.#wiring.failed(error);
    this.#failure = { answer: this.#store.answer, phase: before ?? "ready" };
  }

  /** @param {() => void} draw */
  #drawWithVectors(draw) {
    const fetch = this.#missing();
    if (fetch) void this.#fetch(fetch, draw);
    else draw();
  }

  /** The request for the missing vectors; null if none are missing, or are requested already. */
  #missing() {
    const { answer, drawn } = this.#store;
    const { trace, model } = answer ?? {};
    if (!trace || !model || trace === this.#requested) return null;
    if (vectorsKey(trace, drawn).every((name, i) => name === this.#lacking[i])) return null;
    return this.#page.refetch?.(trace, drawn, model) ?? null;
  }

  /**
   * Requests the same answer with more vectors, which is then drawn; if that is slow or fails, the
   * answer is drawn without them.
   * @param {(signal: AbortSignal) => Promise<T | null>} fetch @param {() => void} draw
   */
  async #fetch(fetch, draw) {
    const { answer, drawn } = this.#store;
    const { trace, model } = /** @type {{trace: T} & Answer<T>} */ (answer);
    const signal = this.#wiring.signal();
    const slow = setTimeout(draw, SLOW_MS);
    /** @type {T | null} */
    let found = null;
    this.#requested = trace;
    try {
      found = await fetch(signal);
      this.#retries = 0;
      const whole = found && !(model && this.#page.refetch?.(found, drawn, model));
      if (!whole && !signal.aborted) this.#lacking = vectorsKey(found ?? trace, drawn);
    } catch (error) {
      if (!signal.aborted) {
        if (!(error instanceof ApiError)) throw error;
        // A server that is not reached has refused nothing.
        if (error.code !== "unreachable") this.#lacking = vectorsKey(trace, drawn);
        if (error.retryAfter && error.code !== "rate_limited")
          this.#later(trace, error.retryAfter, draw);
      }
    } finally {
      clearTimeout(slow);
      if (this.#requested === trace) this.#requested = null;
    }
    const { answer: now } = this.#store;
    // Another answer has asked for its own vectors.
    if (signal.aborted || now?.trace !== trace) return;
    if (!found) return draw();
    this.#store.dispatch({ answer: { ...now, trace: found, since: 0 } }, UNSAID);
  }

  /** Requests refused vectors again, if their trace is still on screen and lacks them. @param {T} trace @param {number} seconds @param {() => void} draw */
  #later(trace, seconds, draw) {
    const lacking = this.#lacking;
    if (++this.#retries > MOST_RETRIES) return;
    setTimeout(() => {
      if (this.#lacking !== lacking || this.#store.answer?.trace !== trace) return;
      this.#lacking = [];
      this.draw(draw);
    }, seconds * 1000);
  }
}

/** The request and the head that vectors belong to. @param {any} trace @param {any} settings @returns {unknown[]} */
const vectorsKey = ({ request }, { layer, head }) => [request, layer, head];
