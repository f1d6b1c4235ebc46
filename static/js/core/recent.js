/** The sentences asked last, kept in this browser and nowhere else. Pure but for the store it is given. */

const KEY = "heed-recent";
const MOST = 6;
const LONGEST = 200;

export class Recent {
  #store;

  /** @param {Pick<Storage, "getItem" | "setItem" | "removeItem"> | null} store none where storage is forbidden */
  constructor(store) {
    this.#store = store;
  }

  /** The newest first. @returns {string[]} */
  list() {
    try {
      const kept = JSON.parse(this.#store?.getItem(KEY) ?? "[]");
      return Array.isArray(kept)
        ? kept.filter((text) => typeof text === "string").slice(0, MOST)
        : [];
    } catch {
      return []; // somebody else's, or forbidden
    }
  }

  /** @param {string} text */
  add(text) {
    if (!text.trim() || text.length > LONGEST) return;
    this.#keep([text, ...this.list().filter((other) => other !== text)].slice(0, MOST));
  }

  forget() {
    try {
      this.#store?.removeItem(KEY);
    } catch {
      // Nothing was kept, then.
    }
  }

  /** @param {string[]} texts */
  #keep(texts) {
    try {
      this.#store?.setItem(KEY, JSON.stringify(texts));
    } catch {
      // Full or forbidden: a convenience, no more.
    }
  }
}

/** @returns {Storage | null} */
export function storage() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
