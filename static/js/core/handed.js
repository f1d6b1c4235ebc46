/** A trace that one page hands to another, which opens in a new window. */

import { Stored, storage } from "./stored.js";

export const HANDED = new Stored("heed-handed", storage("sessionStorage"));

/**
 * Opens a page with a trace; returns false if the browser refuses the window, or keeps nothing. The
 * new window gets a copy of what the session stores.
 * @param {string} path @param {string} name @param {string} json
 */
export function hand(path, name, json) {
  if (!HANDED.keep(JSON.stringify([name, json]))) return false;
  const opened = window.open(path);
  HANDED.keep(null);
  return opened !== null;
}
