/** The elements for the rows of the map, outside of the map: a word, a hop, a glimpse. */

import { inkOn } from "../core/colours.js";
import { around, set } from "./dom.js";

/** A smaller share of the largest weight is not tinted. */
const SEEN = 0.03;

/** The number in this `data-` attribute at the target of an event, or around it. @param {Pick<Event, "target">} event @param {string} [name] */
export function numberAt(event, name = "row") {
  const value = around(event, `[data-${name}]`)?.getAttribute(`data-${name}`);
  return value ? Number(value) : null;
}

/**
 * Selects a row that is pressed, or reached with the keyboard, and shows the one under the mouse.
 * @param {Element} place of the pieces, which have `data-row`
 * @param {{select: (row: number) => void, peek: (row: number | null) => void}} wiring
 */
export function followRows(place, { select, peek }) {
  const choose = (/** @type {Event} */ event) => {
    const row = numberAt(event);
    if (row !== null) select(row);
  };
  place.addEventListener("click", choose);
  place.addEventListener("focusin", (event) => {
    const reached = around(event, "[data-row]");
    // The row that is current stays as it is, at its part: the focus only passes through.
    if (reached?.matches(':focus-visible:not([aria-current="step"])')) choose(event);
  });
  place.addEventListener("pointerover", (event) => {
    if (/** @type {PointerEvent} */ (event).pointerType === "mouse") peek(numberAt(event));
  });
  place.addEventListener("pointerleave", () => peek(null));
}

/** Marks the current row; while playing, the rows after it are hidden. @param {HTMLElement[]} pieces @param {number} row @param {boolean} playing @param {boolean} [known] false while the row itself is still computed */
export function markCurrent(pieces, row, playing, known = true) {
  pieces.forEach((piece, index) => {
    // Compared by identity: rows may share a piece.
    const current = piece === pieces[row];
    piece.tabIndex = current ? 0 : -1;
    piece.toggleAttribute("data-unwritten", playing && index > row && !current);
    set(piece, "aria-current", current && "step");
    setNamed(piece, !playing || (current ? known : index < row), index);
  });
}

/** The names of pieces that are hidden, for screen readers, too. @type {WeakMap<HTMLElement, string | null>} */
const names = new WeakMap();

/** @param {HTMLElement} piece @param {boolean} named @param {number} index */
function setNamed(piece, named, index) {
  if (named !== names.has(piece)) return;
  if (named) set(piece, "aria-label", names.get(piece));
  else names.set(piece, piece.getAttribute("aria-label"));
  if (named) names.delete(piece);
  else set(piece, "aria-label", `Step ${index + 1}, to come`);
}

/**
 * Tints a text by its share of the attention.
 * @param {HTMLElement} node @param {number} share @param {((share: number) => string) | undefined} colourOf
 */
export function tint(node, share, colourOf) {
  const background = colourOf && share > SEEN ? colourOf(share) : "";
  node.style.backgroundColor = background;
  node.style.color = background && inkOn(background);
}
