/** States of a training in the order of its updates: the more there are, the further they are apart. Pure. */

/** States that are kept of a training. */
export const KEPT = 60;

/** @template T */
export class History {
  #most;
  #every = 1;
  #count = 0;
  /** @type {{updates: number, value: T}[]} */
  items = [];

  /** @param {number} most an even number */
  constructor(most) {
    this.#most = most;
  }

  /** Keeps a state, unless others are near enough; returns true if it is kept. @param {number} updates @param {() => T} value */
  add(updates, value) {
    if (this.#count++ % this.#every) return false;
    this.items.push({ updates, value: value() });
    if (this.items.length > this.#most) {
      this.items = this.items.filter((_, place) => place % 2 === 0);
      this.#every *= 2;
    }
    return true;
  }

  /** The last state at or before these updates. @param {number} updates */
  at(updates) {
    return this.items.findLast((item) => item.updates <= updates) ?? null;
  }
}
