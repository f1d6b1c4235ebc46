/** The request in progress, of which there is at most one, and its progress bar. */

import { box } from "../draw/dom.js";

/** An answer that takes longer is slow: the page then shows progress, or an incomplete drawing. */
export const SLOW_MS = 300;

/** @typedef {AbortController & {slow: number}} Running `slow` is the timer of the progress bar */

export class PendingRequest {
  /** @type {Running | null} */
  #running = null;
  #retryTimer = 0;

  /** The signal of the last request; it is aborted once another one begins. */
  get signal() {
    return this.#running?.signal ?? new AbortController().signal;
  }

  /** Stops the current request, and another attempt. */
  stop() {
    this.#running?.abort();
    clearTimeout(this.#retryTimer);
  }

  /** Begins a request, which stops the previous one. */
  begin() {
    this.stop();
    box("stage").setAttribute("aria-busy", "true");
    const slow = setTimeout(() => box("progress").toggleAttribute("data-slow", true), SLOW_MS);
    this.#running = Object.assign(new AbortController(), { slow });
    return this.#running;
  }

  /** @param {Running} running */
  end(running) {
    clearTimeout(running.slow);
    if (this.#running !== running) return;
    box("progress").toggleAttribute("data-slow", false);
    box("stage").setAttribute("aria-busy", "false");
  }

  /** Schedules another attempt. @param {() => void} call @param {number} seconds */
  retry(call, seconds) {
    this.#retryTimer = setTimeout(call, seconds * 1000);
  }
}
