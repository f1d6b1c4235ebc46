/** Edits in views whose marks say which cell they are: ribbons, arcs, bars of weights, and small maps of heads. */

/** @import {Cell, CellEditor, EditedView} from "./types" */

import { around, set } from "../draw/dom.js";
import { editByKeys, editByPointer } from "./edit_pointer.js";

const MARKS = {
  cell: "[data-row][data-column]",
  key: "table.keys tbody tr",
  weight: '[data-part^="weight:"]',
  head: "[data-layer][data-head]",
  column: "[data-column]:not([data-row])",
};

export class Edit {
  #ended = new AbortController();
  #place;
  /** A map that stands beside its page, whose rows run downwards: the keys go over all of it. */
  #turned;

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
    const cellOf = (/** @type {Event} */ event) => cellAt(event, editor.cell.row);
    editByPointer(place, cellOf, editor, signal);
    editByKeys(place, () => false, this.#turned ? turned(editor) : editor, signal);
    const pressed = (/** @type {MouseEvent} */ event) => {
      const [head, column] = [MARKS.head, MARKS.column].map((name) => around(event, name));
      if (head) editor.silence(numberIn(head, "data-layer"), numberIn(head, "data-head"));
      else if (column) editor.blockColumn(numberIn(column, "data-column"));
      else if (!cellOf(event)) return;
      event.stopImmediatePropagation();
    };
    place.addEventListener("click", pressed, { capture: true, signal });
  }

  /** @param {EditedView} _ @param {Cell} cell */
  draw(_, { row, column }) {
    const marks = this.#place.querySelectorAll(
      `${MARKS.cell}, ${MARKS.key}, ${MARKS.weight}, [data-chosen]`,
    );
    for (const mark of marks) {
      const cell = cellAt({ target: mark }, row);
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
  }
}

/** The editor for keys of a map whose columns stand one below the other. @param {CellEditor} editor @returns {CellEditor} */
const turned = (editor) =>
  Object.create(editor, {
    choose: {
      value: (/** @type {Cell} */ { row, column }) => {
        const { cell } = editor;
        editor.choose({
          row: cell.row + column - cell.column,
          column: cell.column + row - cell.row,
        });
      },
    },
  });

/** The cell that a mark stands for; those of a single row are marks of the current one. @param {Pick<Event, "target">} at @param {number} row @returns {Cell | null} */
function cellAt(at, row) {
  const cell = around(at, MARKS.cell);
  if (cell) return { row: numberIn(cell, "data-row"), column: numberIn(cell, "data-column") };
  const key = /** @type {HTMLTableRowElement | null} */ (around(at, MARKS.key));
  if (key) return { row, column: key.sectionRowIndex };
  const weight = around(at, MARKS.weight)?.getAttribute("data-part");
  return weight ? { row, column: Number(weight.split(":")[1]) } : null;
}

/** @param {Element} mark @param {string} name */
const numberIn = (mark, name) => Number(mark.getAttribute(name));
