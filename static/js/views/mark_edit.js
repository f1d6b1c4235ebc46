/** Edits in views whose marks say which cell they are: ribbons, arcs, bars of weights, and small maps of heads. */

/** @import {Cell, CellEditor, EditedView} from "./types" */

import { cellRectangle } from "../core/grid.js";
import { around, html, set } from "../draw/dom.js";
import { editByKeys, editByPointer, overCells, turned } from "./edit_pointer.js";
import { cellUnder } from "./photo/frame.js";

const MARKS = {
  cell: "[data-row][data-column]",
  key: "table.keys tbody tr",
  weight: '[data-part^="weight:"]',
  head: "[data-layer][data-head]",
  column: "[data-column]:not([data-row])",
  /** Cells over a photo. */
  cells: ".grid-of",
};
/** A press or a drag, without its place on the screen if it is of a mark. @typedef {Pick<Event, "target"> & Partial<Pick<MouseEvent, "clientX" | "clientY">>} At */

export class Edit {
  #ended = new AbortController();
  #place;
  /** A map that stands beside its page, whose rows run downwards: the keys go over all of it. */
  #turned;
  /** The photo whose cells are edited. @type {EditedView["photo"]} */
  #photo;

  /** @param {CellEditor} editor @param {HTMLElement} place */
  constructor(editor, place) {
    const { signal } = this.#ended;
    this.#place = place;
    place.toggleAttribute("data-edited", true);
    this.#turned = place.hasAttribute("data-edit-place");
    if (this.#turned) {
      set(place, "tabindex", 0);
      set(place, "role", "application");
      set(place, "aria-describedby", "edit-help");
    }
    const cellOf = (/** @type {MouseEvent} */ event) => this.#cellAt(event, editor.cell.row);
    editByPointer(place, cellOf, editor, signal);
    const keys = this.#turned ? turned(editor) : overCells(editor, () => this.#photo?.source);
    editByKeys(place, () => false, keys, signal);
    const pressed = (/** @type {MouseEvent} */ event) => {
      const [head, column] = [MARKS.head, MARKS.column].map((name) => around(event, name));
      if (head) editor.silence(numberIn(head, "data-layer"), numberIn(head, "data-head"));
      else if (column) editor.blockColumn(numberIn(column, "data-column"));
      else if (!cellOf(event)) return;
      event.stopImmediatePropagation();
    };
    place.addEventListener("click", pressed, { capture: true, signal });
  }

  /** @param {EditedView} view @param {Cell} cell */
  draw({ photo }, { row, column }) {
    this.#photo = photo;
    for (const grid of photo ? this.#place.querySelectorAll(MARKS.cells) : [])
      this.#choose(/** @type {HTMLElement} */ (grid), column);
    const marks = this.#place.querySelectorAll(
      `${MARKS.cell}, ${MARKS.key}, ${MARKS.weight}, [data-chosen]`,
    );
    for (const mark of marks) {
      const cell = this.#cellAt({ target: mark }, row);
      mark.toggleAttribute("data-chosen", cell?.row === row && cell.column === column);
    }
  }

  end() {
    this.#ended.abort();
    this.#place.toggleAttribute("data-edited", false);
    if (this.#turned)
      for (const name of ["tabindex", "role", "aria-describedby"]) set(this.#place, name, null);
    for (const mark of this.#place.querySelectorAll("[data-chosen]"))
      mark.removeAttribute("data-chosen");
    for (const grid of this.#place.querySelectorAll(MARKS.cells)) {
      grid.querySelector(".edit-chosen")?.remove();
      for (const name of OF_CELLS) set(/** @type {HTMLElement} */ (grid), name, null);
    }
  }

  /** Marks a cell over a photo, and lets the keys go there. @param {HTMLElement} grid @param {number} cell */
  #choose(grid, cell) {
    const { source, picture } = /** @type {NonNullable<EditedView["photo"]>} */ (this.#photo);
    /** @type {HTMLElement} */
    const chosen = grid.querySelector(".edit-chosen") ?? html.div({ class: "edit-chosen" });
    const { left, top, width, height } = cellRectangle(source, cell, picture);
    const place = { left, top, width, height };
    for (const [name, share] of Object.entries(place))
      chosen.style.setProperty(name, `${share * 100}%`);
    const values = [0, "application", "Edit the cells of the photo", "edit-help"];
    OF_CELLS.forEach((name, index) => set(grid, name, values[index]));
    if (!chosen.isConnected) grid.append(chosen);
  }

  /** The cell at a place, or the one that a mark stands for; those of a single row are marks of the current one. @param {At} at @param {number} row @returns {Cell | null} */
  #cellAt(at, row) {
    const grid = around(at, MARKS.cells);
    if (!grid || !this.#photo) return cellOfMark(at, row);
    return at.clientX === undefined
      ? null
      : { row, column: cellUnder(grid, /** @type {MouseEvent} */ (at), this.#photo) };
  }
}

/** The attributes of cells that take the keys. */
const OF_CELLS = ["tabindex", "role", "aria-label", "aria-describedby"];

/** @param {Pick<Event, "target">} at @param {number} row @returns {Cell | null} */
function cellOfMark(at, row) {
  const cell = around(at, MARKS.cell);
  if (cell) return { row: numberIn(cell, "data-row"), column: numberIn(cell, "data-column") };
  const key = /** @type {HTMLTableRowElement | null} */ (around(at, MARKS.key));
  if (key) {
    const column = Number(key.dataset.cell ?? key.sectionRowIndex);
    return column < 0 ? null : { row, column };
  }
  const weight = around(at, MARKS.weight)?.getAttribute("data-part");
  return weight ? { row, column: Number(weight.split(":")[1]) } : null;
}

/** @param {Element} mark @param {string} name */
const numberIn = (mark, name) => Number(mark.getAttribute(name));
