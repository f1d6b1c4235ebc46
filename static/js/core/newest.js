/** Requests for something that a person keeps changing: one at a time, and the newest wins. Pure; the clock is a parameter. */

/** The least time from one request to the next: ten a second. */
const APART_MS = 100;

/** @typedef {{now: () => number, after: (ms: number, call: () => void) => unknown}} Clock */

/** @type {Clock} */
const CLOCK = { now: () => performance.now(), after: (ms, call) => setTimeout(call, ms) };

export class Newest {
  #send;
  #clock;
  #wanted = false;
  #sending = false;
  #waiting = false;
  /** The time from which on a request may be sent. */
  #free = -Infinity;

  /** @param {() => Promise<number | null>} send requests what is newest by then; gives the seconds after which to try again, if the server is too busy @param {Clock} [clock] */
  constructor(send, clock = CLOCK) {
    this.#send = send;
    this.#clock = clock;
  }

  /** Requests what is newest as soon as the last request is answered. */
  ask() {
    this.#wanted = true;
    this.#next();
  }

  /** Drops what is to be requested. */
  stop() {
    this.#wanted = false;
  }

  #next() {
    if (this.#sending || this.#waiting || !this.#wanted) return;
    const wait = this.#free - this.#clock.now();
    if (wait <= 0) return void this.#request();
    this.#waiting = true;
    this.#clock.after(wait, () => {
      this.#waiting = false;
      this.#next();
    });
  }

  async #request() {
    this.#wanted = false;
    this.#sending = true;
    this.#free = this.#clock.now() + APART_MS;
    try {
      const again = await this.#send();
      if (again !== null) {
        this.#wanted = true;
        this.#free = this.#clock.now() + again * 1000;
      }
    } finally {
      this.#sending = false;
      this.#next();
    }
  }
}
