/**
 * The small copy of the user's last photo, kept in this browser until its tab is closed. Pure but
 * for the store it is given.
 */

const KEY = "heed-photo";
const COPY = /^data:image\/[a-z]+;base64,([A-Za-z0-9+/]+={0,2})$/;

export class KeptPhoto {
  #store;
  /** @type {string | null} */
  #copy;

  /** @param {Pick<Storage, "getItem" | "setItem"> | null} store null where storage is forbidden */
  constructor(store) {
    this.#store = store;
    this.#copy = this.#stored();
  }

  /** Its `data:` address; null if there is none. */
  get copy() {
    return this.#copy;
  }

  #stored() {
    try {
      const kept = this.#store?.getItem(KEY) ?? "";
      const code = COPY.exec(kept)?.[1];
      return code && code.length % 4 === 0 ? kept : null;
    } catch {
      return null; // storage is forbidden
    }
  }

  /** @param {string} copy */
  keep(copy) {
    this.#copy = copy;
    try {
      this.#store?.setItem(KEY, copy);
    } catch {
      // Full or forbidden: then the photo is gone when the page is loaded again.
    }
  }
}

/** @returns {Storage | null} */
export function sessionStore() {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}
