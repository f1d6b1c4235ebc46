/** The keys that delete the traces saved in this browser. Pure except for its store. */

/** @import {Texts} from "./stored.js" */
/** @typedef {{key: string, expires: string | null}} DeletionKey */

import { Stored } from "./stored.js";

const MOST = 500;

export class DeletionKeys {
  #stored;
  /** The keys since the page was opened, for use without storage. @type {Record<string, DeletionKey>} */
  #here = {};

  /** @param {Texts | null} store null if storage is forbidden */
  constructor(store) {
    this.#stored = new Stored("heed-keys", store);
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
    const kept = Object.entries(this.#stored.json ?? {});
    const whole = kept.filter(([, one]) => typeof one?.key === "string");
    return Object.fromEntries(
      whole.map(([id, { key, expires }]) => [
        id,
        { key, expires: typeof expires === "string" ? expires : null },
      ]),
    );
  }

  /** @param {Record<string, DeletionKey>} kept the oldest are removed if there are too many */
  #write(kept) {
    this.#stored.keep(JSON.stringify(Object.fromEntries(Object.entries(kept).slice(-MOST))));
  }
}
