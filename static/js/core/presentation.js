/** The size of a presentation, and its keys. Pure. */

/** Of the page's smallest type, 14 px, twice the size is 28. */
const LEAST = 2;
/** The layout that fills the screen: larger screens scale it up. */
const ROOM = { width: 900, height: 500 };
/** Narrower screens are held in a hand. */
const PHONE = 700;

/** How much larger the result is drawn. @param {number} width of the window @param {number} height */
export function scaleFor(width, height) {
  if (width < PHONE) return 1;
  return Math.max(LEAST, Math.min(width / ROOM.width, height / ROOM.height));
}

/** @typedef {"forward" | "back" | "play" | "guess" | "laser" | "leave"} Action */

/** @type {Record<string, Action>} */
export const KEYS = {
  ArrowRight: "forward",
  PageDown: "forward",
  ArrowLeft: "back",
  PageUp: "back",
  " ": "play",
  g: "guess",
  l: "laser",
  Escape: "leave",
};

/**
 * The meaning of a key; null if it has none. Presenters send the keys of pages.
 * @param {string} key
 */
export const actionOf = (key) => KEYS[key.length === 1 ? key.toLowerCase() : key] ?? null;
