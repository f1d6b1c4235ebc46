/** Scrolling a box so far that something in it is seen; never the page. */

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
