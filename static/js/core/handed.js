/** A trace that one page hands to another, which opens in a new window. */

import { Stored, storage } from "./stored.js";

const stored = new Stored("heed-handed", storage("sessionStorage"));

/**
 * Opens a page with a trace; returns false if the browser refuses the window, or keeps nothing. The
 * new window gets a copy of what the session stores.
 * @param {string} path @param {string} name @param {string} json
 */
export function hand(path, name, json) {
  if (!stored.keep(JSON.stringify([name, json]))) return false;
  const opened = window.open(path);
  stored.keep(null);
  return opened !== null;
}

/** The trace that was handed to this page, once. @returns {{name: string, bytes: Uint8Array<ArrayBuffer>} | null} */
export function handed() {
  const kept = stored.json;
  stored.keep(null);
  if (!Array.isArray(kept)) return null;
  const [name, json] = kept;
  return { name, bytes: new TextEncoder().encode(json) };
}
