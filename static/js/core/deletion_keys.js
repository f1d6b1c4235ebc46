/** Keys of the traces that were saved in this browser. Pure but for the store it is given. */

/** @typedef {{key: string, expires: string | null}} Kept */

const KEY = "heed-keys";
const MOST = 500;

export class Keys {
  #store;
  /** What was saved since the page was opened, wherever storage is forbidden. @type {Record<string, Kept>} */
  #here = {};

  /** @param {Pick<Storage, "getItem" | "setItem"> | null} store none where storage is forbidden */
  constructor(store) {
    this.#store = store;
  }

  /** @param {string} id @returns {Kept | null} */
  of(id) {
    return this.#here[id] ?? this.#read()[id] ?? null;
  }

  /** @param {string} id @param {Kept} kept */
  add(id, { key, expires }) {
    this.#here[id] = { key, expires };
    this.#write({ ...this.#read(), [id]: { key, expires } });
  }

  /** @param {string} id */
  remove(id) {
    delete this.#here[id];
    const kept = this.#read();
    delete kept[id];
    this.#write(kept);
  }

  /** @returns {Record<string, Kept>} */
  #read() {
    try {
      const kept = JSON.parse(this.#store?.getItem(KEY) ?? "{}");
      const whole = Object.entries(kept).filter(([, one]) => typeof one?.key === "string");
      return Object.fromEntries(whole.map(([id, { key, expires }]) => [id, { key, expires: typeof expires === "string" ? expires : null }]));
    } catch {
      return {}; // somebody else's, or forbidden
    }
  }

  /** @param {Record<string, Kept>} kept the oldest go first when there are too many */
  #write(kept) {
    try {
      this.#store?.setItem(KEY, JSON.stringify(Object.fromEntries(Object.entries(kept).slice(-MOST))));
    } catch {
      // Full or forbidden: it can be deleted as long as this page is open.
    }
  }
}
