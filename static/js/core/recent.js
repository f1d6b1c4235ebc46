/** The most recent sentences, stored in this browser only. Pure except for its store. */

/** @import {Texts} from "./stored.js" */

import { Stored } from "./stored.js";

const MOST = 6;
const LONGEST = 200;

export class Recent {
  #stored;

  /** @param {Texts | null} store null if storage is forbidden */
  constructor(store) {
    this.#stored = new Stored("heed-recent", store);
  }

  /** The newest first. @returns {string[]} */
  list() {
    const kept = this.#stored.json;
    return Array.isArray(kept)
      ? kept.filter((text) => typeof text === "string").slice(0, MOST)
      : [];
  }

  /** @param {string} text */
  add(text) {
    if (!text.trim() || text.length > LONGEST) return;
    const texts = [text, ...this.list().filter((other) => other !== text)];
    this.#stored.keep(JSON.stringify(texts.slice(0, MOST)));
  }

  forget() {
    this.#stored.keep(null);
  }
}
