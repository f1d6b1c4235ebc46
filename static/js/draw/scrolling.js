/** The window: scrolling until an element is visible, and changes of its size. */

import { set } from "./dom.js";
import { printing } from "./theme.js";

/**
 * The nearest scroll position at which a stretch is inside the window.
 * @param {number} at @param {number} start @param {number} length @param {number} room
 */
export function within(at, start, length, room) {
  if (start < at) return start;
  return start + length > at + room ? start + length - room : at;
}

/** The piece of each line to scroll to in the next frame. @type {Map<HTMLElement, HTMLElement | undefined>} */
const followed = new Map();

/**
 * Scrolls the line, never the page: in the next frame, where measuring takes no layout of its own.
 * @param {HTMLElement} line @param {HTMLElement | undefined} piece
 */
export function keepInView(line, piece) {
  if (!followed.size)
    requestAnimationFrame(() => {
      const lines = [...followed];
      followed.clear();
      for (const [each, its] of lines) scrollLine(each, its);
    });
  followed.set(line, piece);
}

/** @param {HTMLElement} line @param {HTMLElement | undefined} piece */
function scrollLine(line, piece) {
  const hidden = line.scrollHeight - line.clientHeight;
  if (piece && hidden > 0) {
    const [outer, inner] = [line.getBoundingClientRect(), piece.getBoundingClientRect()];
    const scale = outer.height / line.offsetHeight || 1; // of a presentation
    // With the line before and after it, which are only read in part at the edge.
    const [above, below] = [inner.top - inner.height, inner.bottom + inner.height];
    if (above < outer.top) line.scrollTop -= (outer.top - above) / scale;
    else if (below > outer.bottom) line.scrollTop += (below - outer.bottom) / scale;
  }
  set(line, "data-above", hidden > 1 && line.scrollTop > 1);
  set(line, "data-below", hidden > 1 && line.scrollTop < hidden - 1);
}

/** Scrolls the page to an element, because a file may be dropped out of its sight. @param {HTMLElement} place */
export function reveal(place) {
  place.scrollIntoView({ block: "nearest" });
}

/** Space left under the map on the first screen, and for the bar of a presentation. */
const MARGIN = 12;
const BAR = 64;

/** With less room than this, the page scrolls past a drawing. */
export const LEAST_ROOM = 150;

/**
 * The height of the first screen below the top of an element, or the least one.
 * @param {HTMLElement} place @param {number} [least]
 */
export function roomBelow(place, least = -Infinity) {
  const { top, width } = place.getBoundingClientRect();
  const scale = width / place.offsetWidth || 1; // of a presentation
  const bar = document.documentElement.hasAttribute("data-presenting") ? BAR : 0;
  return Math.max(least, (windowSize().height - bar - (top + scrollY)) / scale - MARGIN);
}

/** True if the window has a height of its own that a picture may fill: no sheet of paper, no presentation, which scales its pictures, and no frame as high as its content. */
export function fillsWindow() {
  const { documentElement: page, body } = document;
  return (
    !printing() &&
    !page.hasAttribute("data-presenting") &&
    !("embedded" in body.dataset) &&
    self === parent
  );
}

/** A frame in another page is made as high as its content, whose height must not depend on it. */
const FRAME = 640;

/** The size of the window. On a phone its height does not change while the bars of the browser come and go. */
function windowSize() {
  const { clientWidth: width, clientHeight } = document.documentElement;
  return { width, height: "embedded" in document.body.dataset ? FRAME : clientHeight };
}

const SETTLED_MS = 100;

/** @param {() => void} call when the size of the window has changed */
export function onResize(call) {
  let before = JSON.stringify(windowSize());
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return () => {
    const now = JSON.stringify(windowSize());
    if (now === before) return;
    before = now;
    clearTimeout(timer);
    timer = setTimeout(call, SETTLED_MS);
  };
}
