/** A trace that one page hands to another, which opens in a new window. */

const KEY = "heed-handed";

/**
 * Opens a page with a trace; returns false if the browser refuses the window. The new window gets a
 * copy of what the session stores.
 * @param {string} path @param {string} name @param {string} json
 */
export function hand(path, name, json) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([name, json]));
    const opened = window.open(path);
    sessionStorage.removeItem(KEY);
    return opened !== null;
  } catch {
    return false; // Storage may be forbidden, or full.
  }
}

/** The trace that was handed to this page, once. @returns {{name: string, bytes: Uint8Array<ArrayBuffer>} | null} */
export function handed() {
  try {
    const kept = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    if (kept === null) return null;
    const [name, json] = JSON.parse(kept);
    return { name, bytes: new TextEncoder().encode(json) };
  } catch {
    return null;
  }
}
