/** The request in progress, of which there is at most one, and its progress bar. */

import { box } from "../draw/dom.js";

/** An answer that takes longer is slow: the page then shows progress, or an incomplete drawing. */
export const SLOW_MS = 300;

/** @typedef {AbortController & {slow: ReturnType<typeof setTimeout>}} Running `slow` is the timer of the progress bar */

export class PendingRequest {
  /** @type {Running | null} */
  #running = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retryTimer;

  /** The signal of the last request; it is aborted once another one begins. */
  get signal() {
    return this.#running?.signal ?? new AbortController().signal;
  }

  /** Begins a request, which stops the previous one, and another attempt of that. */
  begin() {
    this.#running?.abort();
    clearTimeout(this.#retryTimer);
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
