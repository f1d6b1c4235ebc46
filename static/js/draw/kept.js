/** Marks that other steps have too: they are made once, and the page skips them. Pure. */

/** @typedef {<T>(key: string, facts: unknown[], make: () => T) => T} Keep */

export class Kept {
  /** @type {Map<string, {facts: unknown[], made: unknown}>} */
  #known = new Map();

  /**
   * What was made of the same facts before, or else what is made of them now.
   * @template T
   * @param {string} key @param {unknown[]} facts all that it is made of @param {() => T} make
   * @returns {T}
   */
  get(key, facts, make) {
    const before = this.#known.get(key);
    if (before && equal(before.facts, facts)) return /** @type {T} */ (before.made);
    const made = make();
    this.#known.set(key, { facts, made });
    return made;
  }

  forget() {
    this.#known.clear();
  }
}

/** @type {Keep} */
export const alwaysNew = (_, __, make) => make();

/** @param {unknown[]} some @param {unknown[]} others */
const equal = (some, others) =>
  some.length === others.length && some.every((fact, index) => Object.is(fact, others[index]));
