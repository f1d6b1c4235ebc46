/** The keys that delete the traces saved in this browser. Pure but for the store it is given. */

/** @typedef {{key: string, expires: string | null}} DeletionKey */

const KEY = "heed-keys";
const MOST = 500;

export class DeletionKeys {
  #store;
  /** The keys since the page was opened, for where storage is forbidden. @type {Record<string, DeletionKey>} */
  #here = {};

  /** @param {Pick<Storage, "getItem" | "setItem"> | null} store none where storage is forbidden */
  constructor(store) {
    this.#store = store;
  }

  /** @param {string} id @returns {DeletionKey | null} */
  of(id) {
    return this.#here[id] ?? this.#read()[id] ?? null;
  }

  /** @param {string} id @param {DeletionKey} kept */
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

  /** @returns {Record<string, DeletionKey>} */
  #read() {
    try {
      const kept = JSON.parse(this.#store?.getItem(KEY) ?? "{}");
      const whole = Object.entries(kept).filter(([, one]) => typeof one?.key === "string");
      return Object.fromEntries(
        whole.map(([id, { key, expires }]) => [
          id,
          { key, expires: typeof expires === "string" ? expires : null },
        ]),
      );
    } catch {
      return {}; // malformed, or forbidden
    }
  }

  /** @param {Record<string, DeletionKey>} kept the oldest go first when there are too many */
  #write(kept) {
    try {
      this.#store?.setItem(
        KEY,
        JSON.stringify(Object.fromEntries(Object.entries(kept).slice(-MOST))),
      );
    } catch {
      // Full or forbidden: it can be deleted as long as this page is open.
    }
  }
}
