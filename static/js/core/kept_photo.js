/**
 * The small copy of the user's last photo, kept in this browser until its tab is closed. Pure but
 * for the store it is given.
 */

/** @import {Texts} from "./stored.js" */

import { Stored } from "./stored.js";

const COPY = /^data:image\/[a-z]+;base64,([A-Za-z0-9+/]+={0,2})$/;

export class KeptPhoto {
  #stored;
  /** @type {string | null} */
  #copy;

  /** @param {Texts | null} store null where storage is forbidden */
  constructor(store) {
    this.#stored = new Stored("heed-photo", store);
    const kept = this.#stored.text ?? "";
    const code = COPY.exec(kept)?.[1];
    this.#copy = code && code.length % 4 === 0 ? kept : null;
  }

  /** Its `data:` address; null if there is none. */
  get copy() {
    return this.#copy;
  }

  /** Keeps a copy; it lasts for this page alone if storage is full or forbidden. @param {string} copy */
  keep(copy) {
    this.#copy = copy;
    this.#stored.keep(copy);
  }
}
