/** The sizes of the compared maps: small multiples, all of them on the first screen if they can be. */

import { LEAST_ROOM, roomBelow } from "../../draw/scrolling.js";

/** Cells, in pixels, and those in which headings can be read: of a row, and slanted ones of columns. */
const CELL = { least: 1, most: 28, row: 10, column: 13 };
/** With less room than this, texts go below their maps. */
const LITTLE_ROOM = 200;
const GAP = 12;

/** Sets the cells of all maps in the cards, or in the figures of an audit; headings of columns stand over the first map of each column of cards. @param {HTMLElement} cards */
export function fit(cards) {
  if (!cards.offsetWidth) return;
  const place = cards.parentElement;
  place?.toggleAttribute("data-low", false);
  place?.toggleAttribute("data-low", roomBelow(cards) < LITTLE_ROOM);
  const across = getComputedStyle(cards).gridTemplateColumns.split(" ").length;
  const shown = [...cards.children].filter((card) => card.getClientRects().length);
  const maps = shown.map((card) => card.querySelector(".map-grid"));
  if (!maps.length) return;
  const headed = new Set();
  maps.forEach((map, place) => {
    if (!(map instanceof HTMLElement)) return;
    map.toggleAttribute("data-headless", across > 1 && headed.has(place % across));
    headed.add(place % across);
    map.style.setProperty("--cell-height", "0px");
  });
  cards.toggleAttribute("data-measured", true); // sentences instead of a map take what maps leave
  const sizes = maps.map((map) => (map instanceof HTMLElement ? sizeOf(map) : null));
  const height =
    across > 1 ? heightOf(cards, across, sizes) : heightOf(cards, 1, sizes.slice(0, 1), shown[0]);
  cards.toggleAttribute("data-measured", false);
  maps.forEach((map, place) => {
    const size = sizes[place];
    if (!(map instanceof HTMLElement) || !size) return;
    map.style.setProperty("--cell-height", `${height}px`);
    map.style.setProperty("--cell-width", `${size.width}px`);
    map.toggleAttribute("data-dense", height < CELL.row);
    map.toggleAttribute("data-narrow", size.width < CELL.column);
  });
}

/** @param {HTMLElement} map */
function sizeOf(map) {
  const [rows, columns, head] = ["--rows", "--columns", "--head-width"].map((name) =>
    Number.parseFloat(map.style.getPropertyValue(name)),
  );
  const room =
    (map.parentElement?.clientWidth ?? 0) -
    head -
    Number.parseFloat(getComputedStyle(map).paddingInlineEnd);
  return { rows, width: clamp(room / columns) };
}

/**
 * The height of a cell with which all lines of cards end on the first screen.
 * @param {HTMLElement} cards @param {number} across
 * @param {({rows: number} | null)[]} sizes measured with cells of no height
 * @param {Element} [first] the card that ends there, of cards below each other
 */
function heightOf(cards, across, sizes, first = cards) {
  const lines = Array.from({ length: Math.ceil(sizes.length / across) }, (_, line) =>
    Math.max(1, ...sizes.slice(line * across, (line + 1) * across).map((size) => size?.rows ?? 0)),
  );
  const taken = /** @type {HTMLElement} */ (first).offsetHeight;
  const room = roomBelow(cards, LEAST_ROOM) - taken - GAP;
  return clamp(Math.floor((10 * room) / lines.reduce((one, other) => one + other)) / 10);
}

const clamp = (/** @type {number} */ size) => Math.min(Math.max(size, CELL.least), CELL.most);
