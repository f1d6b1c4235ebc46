/** The window: scrolling until an element is visible, and changes of its width. */

/**
 * The nearest scroll position at which a stretch is inside the window.
 * @param {number} at @param {number} start @param {number} length @param {number} room
 */
export function within(at, start, length, room) {
  if (start < at) return start;
  return start + length > at + room ? start + length - room : at;
}

/** Scrolls the line, never the page. @param {HTMLElement} line @param {HTMLElement | undefined} piece */
export function keepInView(line, piece) {
  if (!piece || line.scrollHeight <= line.clientHeight) return;
  const [outer, inner] = [line.getBoundingClientRect(), piece.getBoundingClientRect()];
  if (inner.top < outer.top) line.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) line.scrollTop += inner.bottom - outer.bottom;
}

/** Scrolls the page to an element, because a file may be dropped out of its sight. @param {HTMLElement} place */
export function reveal(place) {
  place.scrollIntoView({ block: "nearest" });
}

const SETTLED_MS = 100;

/** @param {() => void} call when the width changes; on a phone the height changes with every scroll */
export function onWidth(call) {
  let width = innerWidth;
  let timer = 0;
  return () => {
    if (innerWidth === width) return;
    width = innerWidth;
    clearTimeout(timer);
    timer = setTimeout(call, SETTLED_MS);
  };
}
