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

/** Of a drawing of many nodes, which takes the room that it has: they are smaller from the start. */
const CROWDED = { nodes: 12, scale: 0.6 };

/** The scale that a picture has before it is fitted to its room. @param {string} view @param {number} rows */
export const firstScale = (view, rows) =>
  view === "graph" && rows > CROWDED.nodes ? CROWDED.scale : 1;

/** Views with a height of their own; others take the height of their room, or text that breaks elsewhere. */
const OWN_HEIGHT = ["map", "ribbons", "arcs", "graph"];
/** One of them that takes a smaller share of the height of its room is made larger, at most so much. */
const LOW = 0.8;
const MOST_GROWN = 1.5;

/**
 * The scale to try for a picture that leaves much of its room empty; null if it takes most of it.
 * @param {string} view @param {number} scale @param {{wide: number, high: number}} taken shares of its room
 */
export const largerScale = (view, scale, { wide, high }) =>
  OWN_HEIGHT.includes(view) && wide <= 1 && high < LOW
    ? scale * Math.min(1 / high, MOST_GROWN)
    : null;

const SMALLEST = 0.06;
/** Headings and gaps are not scaled alike: after a great change something is left over. */
const SPARE = { great: 0.94, small: 0.99, from: 1.5 };

/**
 * The next scale to try for a picture that takes `wide` and `high` times its room; null if it fits.
 * Lines of text break elsewhere in a wider layout, so a picture that is only too high is made less
 * small than its height says, unless that was tried.
 * @param {number} scale @param {{wide: number, high: number}} taken @param {number} tries before
 */
export function smallerScale(scale, { wide, high }, tries) {
  const over = Math.max(wide, high);
  if (over <= 1 || scale <= SMALLEST) return null;
  const least = tries < 2 && wide <= 1 ? Math.max(Math.sqrt(over), 1.03) : over;
  const spare = least > SPARE.from ? SPARE.great : SPARE.small;
  return Math.max(SMALLEST, (scale / least) * spare);
}

/** @typedef {"forward" | "back" | "next" | "previous" | "play" | "guess" | "laser" | "code" | "leave"} Action */

/** @type {Record<string, Action>} */
export const KEYS = {
  ArrowRight: "forward",
  PageDown: "next",
  ArrowLeft: "back",
  PageUp: "previous",
  " ": "play",
  g: "guess",
  l: "laser",
  q: "code",
  Escape: "leave",
};

/**
 * The meaning of a key; null if it has none. Presenters send the keys of pages.
 * @param {string} key
 */
export const actionOf = (key) => KEYS[key.length === 1 ? key.toLowerCase() : key] ?? null;
