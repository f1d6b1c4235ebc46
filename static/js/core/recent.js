/** The most recent sentences, stored in this browser only. Pure except for its store. */

const KEY = "heed-recent";
const MOST = 6;
const LONGEST = 200;

export class Recent {
  #store;

  /** @param {Pick<Storage, "getItem" | "setItem" | "removeItem"> | null} store null if storage is forbidden */
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
      return []; // written by another program, or storage is forbidden
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
      // Nothing was stored.
    }
  }

  /** @param {string[]} texts */
  #keep(texts) {
    try {
      this.#store?.setItem(KEY, JSON.stringify(texts));
    } catch {
      // Full or forbidden: recent sentences are only a convenience.
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
