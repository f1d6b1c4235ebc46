/**
 * A text that this browser keeps under a key. Where storage is forbidden, as in the frame of a
 * notebook, or full, it keeps none. Pure except for its store.
 */

/** @typedef {Pick<Storage, "getItem" | "setItem"> & Partial<Pick<Storage, "removeItem">>} Texts */

export class Stored {
  #key;
  #store;

  /** @param {string} key @param {Texts | null} store null where storage is forbidden */
  constructor(key, store) {
    this.#key = key;
    this.#store = store;
  }

  /** @returns {string | null} */
  get text() {
    try {
      return this.#store?.getItem(this.#key) ?? null;
    } catch {
      return null;
    }
  }

  /** Its value; null if there is none, or another program has written it. @returns {any} */
  get json() {
    try {
      return JSON.parse(this.text ?? "null");
    } catch {
      return null;
    }
  }

  /** Returns true if it is kept. @param {string | null} text null for none */
  keep(text) {
    try {
      if (text === null) this.#store?.removeItem?.(this.#key);
      else this.#store?.setItem(this.#key, text);
      return this.#store !== null;
    } catch {
      return false;
    }
  }
}

/** A store of the browser: until its tab is closed, or for good. @param {"sessionStorage" | "localStorage"} name @returns {Storage | null} */
export function storage(name) {
  try {
    return globalThis[name] ?? null;
  } catch {
    return null;
  }
}
