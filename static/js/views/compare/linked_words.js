/** The word under the pointer, and its highlight in the cards of all models. */

/** @import {View} from "../../core/types" */

import { viewOf } from "./small_map.js";

/** @typedef {{view: View | null, row: number | null, column: number | null, key: string | null}} Pointed `view` is that of the small map under the pointer */

/** The cell or the word under the pointer. @param {PointerEvent} event @returns {Pointed} */
export function pointedAt(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const map = target.closest(".map-grid");
  if (target instanceof HTMLCanvasElement && map instanceof HTMLElement)
    return cellAt(event, target, map);
  const column = target.closest(".column-head")?.getAttribute("data-column");
  return {
    view: null,
    row: null,
    column: column ? Number(column) : null,
    key: target.closest("[data-key]")?.getAttribute("data-key") ?? null,
  };
}

/** @param {PointerEvent} event @param {HTMLCanvasElement} canvas @param {HTMLElement} map @returns {Pointed} */
function cellAt({ clientX, clientY }, canvas, map) {
  const place = canvas.getBoundingClientRect();
  const across = map.dir === "rtl" ? place.right - clientX : clientX - place.left;
  const index = (/** @type {number} */ share, /** @type {number} */ count) =>
    Math.min(Math.floor(share * count), count - 1);
  const column = index(across / place.width, canvas.width);
  const row = index((clientY - place.top) / place.height, canvas.height);
  const key = map.querySelectorAll(".row-head")[row]?.getAttribute("data-key") ?? null;
  return { view: viewOf.get(map) ?? null, row, column, key };
}

/** Highlights a word, its row and its column in all cards. @param {HTMLElement} area @param {Pointed} pointed */
export function highlight(area, { column, key }) {
  for (const node of area.querySelectorAll("[data-key]"))
    node.toggleAttribute("data-lit", key !== null && node.getAttribute("data-key") === key);
  for (const node of area.querySelectorAll(".column-head"))
    node.toggleAttribute(
      "data-lit",
      column !== null && node.getAttribute("data-column") === String(column),
    );
  for (const map of area.querySelectorAll(".map-grid")) {
    if (!(map instanceof HTMLElement)) continue;
    map.toggleAttribute("data-band", column !== null);
    if (column !== null) map.style.setProperty("--column", String(column));
    const row =
      key === null
        ? -1
        : [...map.querySelectorAll(".row-head")].findIndex(
            (node) => node.getAttribute("data-key") === key,
          );
    map.toggleAttribute("data-bar", row >= 0);
    if (row >= 0) map.style.setProperty("--row", String(row));
    const weight = column === null ? undefined : viewOf.get(map)?.weights?.[row]?.[column];
    const said = map.closest(".card")?.querySelector(".cell-weight");
    if (said) said.textContent = weight === undefined ? "" : `α ${weight.toFixed(3)}`;
  }
}
