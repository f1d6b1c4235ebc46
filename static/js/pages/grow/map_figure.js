/** The map of one text, drawn again with each frame: a canvas with its letters beside it. */

/** @import {Edit} from "../../core/types" */
/** @import {Written} from "./run.js" */

import { colour } from "../../core/colours.js";
import { html, say } from "../../draw/dom.js";
import { palette } from "../../draw/theme.js";
import { isBlocked } from "./edits.js";

/** Over a cell that an edit blocks, in the light and in the dark. */
const BLOCKED = "rgb(128 128 128 / 0.6)";
const END = "⏎";
const SPACE = "␣";
/** The width of a map in pixels, which its cells divide, and the bounds of a cell. */
const [ROOM, SMALLEST, LARGEST] = [165, 9, 18];

/** The signs of a text, and its end. */
export const letters = (/** @type {string} */ text) => [
  ...Array.from(text, (sign) => (sign === " " ? SPACE : sign)),
  END,
];

/** The size of a letter, of that of a cell. */
const LETTER = 0.72;

/** The size of a cell of a map. @param {number} columns */
const cellOf = (columns) => Math.min(LARGEST, Math.max(SMALLEST, Math.floor(ROOM / (columns + 1))));

/** Signs of a caption beside both texts. */
const AROUND = 5;

/** A width that has room for the maps of these texts, and for their captions. @param {{source: string, answer: string}[]} texts */
export function widthOf(texts) {
  const map = (/** @type {string[]} */ { length }) => (length + 1) * cellOf(length) + 4;
  const caption = texts.map(({ source, answer }) => source.length + answer.length + AROUND);
  const maps = texts.map(({ source }) => map(letters(source)));
  return `max(${Math.max(...maps)}px, ${Math.max(...caption)}ch)`;
}

export class MapFigure {
  #press;
  #columns = html.div({ class: "grow-columns", "aria-hidden": "true" });
  #rows = html.div({ class: "grow-rows", "aria-hidden": "true" });
  #canvas = html.canvas({ class: "pixels", "aria-hidden": "true" });
  #source = html.span({ dir: "auto" });
  #written = html.b({ dir: "auto" });
  #plain = html.span({ class: "note", dir: "auto" });
  #mark = html.span({ class: "grow-mark", "aria-hidden": "true" });
  #grid = html.div({ class: "grow-grid" }, this.#columns, this.#rows, this.#canvas);
  #about = html.span({ class: "visually-hidden" });
  node = html.figure(
    { class: "grow-map" },
    html.figcaption(
      this.#mark,
      this.#source,
      html.span({ "aria-hidden": "true" }, " → "),
      this.#written,
      this.#plain,
      this.#about,
    ),
    this.#grid,
  );

  /** @param {((row: number, column: number) => void) | null} [press] what a press on a cell does */
  constructor(press = null) {
    this.#press = press;
    this.#canvas.addEventListener("click", (event) => this.#pressed(event));
    this.#grid.toggleAttribute("data-pressed", press !== null);
  }

  /** @param {MouseEvent} event */
  #pressed({ offsetX, offsetY }) {
    const { width, height, clientWidth, clientHeight } = this.#canvas;
    const place = (
      /** @type {number} */ at,
      /** @type {number} */ room,
      /** @type {number} */ count,
    ) => Math.min(count - 1, Math.max(0, Math.floor((at / room) * count)));
    this.#press?.(place(offsetY, clientHeight, height), place(offsetX, clientWidth, width));
  }

  /** Shows a text with its map, in as many rows as its answer has. @param {Written} written @param {number} rows @param {boolean} inWords true if the map is described in words, too @param {readonly Edit[]} [edits] */
  show({ source, written, right, weights, plain }, rows, inWords, edits = []) {
    say(this.#source, source);
    say(this.#written, written || "nothing");
    say(this.#plain, plain === undefined ? "" : ` (without edits: ${plain || "nothing"})`);
    say(this.#mark, right === null ? "" : right ? "✓ " : "✗ ");
    this.#mark.toggleAttribute("data-right", right === true);
    const read = letters(source);
    const wrote = letters(written);
    const count = Math.max(rows, 1);
    const cell = cellOf(read.length);
    this.#grid.style.setProperty("--cell", `${cell}px`);
    this.#grid.style.setProperty("--letter", `${Math.max(SMALLEST, cell * LETTER)}px`);
    label(this.#columns, read);
    label(
      this.#rows,
      Array.from({ length: count }, (_, row) => wrote[row] ?? ""),
    );
    if (inWords) say(this.#about, described(right, weights, read, wrote));
    this.#grid.hidden = !weights;
    if (weights) this.#paint(weights, read.length, count, edits);
  }

  /** @param {number[][]} weights @param {number} columns @param {number} rows @param {readonly Edit[]} edits */
  #paint(weights, columns, rows, edits) {
    const canvas = this.#canvas;
    canvas.width = columns;
    canvas.height = rows;
    const brush = canvas.getContext("2d");
    if (!brush) return;
    const colours = palette();
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        brush.fillStyle = colour(colours, weights[row]?.[column] ?? 0);
        brush.fillRect(column, row, 1, 1);
        if (!isBlocked(edits, row, column)) continue;
        brush.fillStyle = BLOCKED;
        brush.fillRect(column, row, 1, 1);
      }
  }
}

/** @param {HTMLElement} at @param {string[]} texts */
function label(at, texts) {
  while (at.children.length > texts.length) at.lastElementChild?.remove();
  while (at.children.length < texts.length) at.append(html.span());
  texts.forEach((text, place) => say(/** @type {HTMLElement} */ (at.children[place]), text));
}

/** @param {boolean | null} right @param {number[][] | null} weights @param {string[]} read @param {string[]} wrote */
function described(right, weights, read, wrote) {
  const judged = right === null ? "" : right ? ", which is right." : ", which is wrong.";
  if (!weights) return `${judged} It has no map.`;
  const rows = weights.map((row, place) => {
    const strongest = row.indexOf(Math.max(...row));
    return `${spoken(wrote[place])} looks at ${spoken(read[strongest])}, ${Math.round(row[strongest] * 100)} %`;
  });
  return `${judged} ${rows.join("; ")}.`;
}

/** @param {string | undefined} sign */
const spoken = (sign) => (sign === END || !sign ? "the end" : sign === SPACE ? "space" : sign);
