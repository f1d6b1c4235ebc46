/** Edits on the map: over its cells lies what takes the pointer and the keys; its headings edit rows and columns. */

/** @import {Cell, CellEditor, EditedView} from "../types" */

import { direction } from "../../core/text.js";
import { box, html } from "../../draw/dom.js";
import { editByKeys, editByPointer } from "../edit_pointer.js";

export class Edit {
  #ended = new AbortController();
  #chosen = html.div({ class: "edit-chosen" });
  #cells = html.div(
    {
      id: "edit-cells",
      class: "edit-cells",
      tabindex: 0,
      role: "application",
      "aria-label": "Edit the cells of the map",
      "aria-describedby": "edit-help",
    },
    this.#chosen,
  );
  /** @type {{rows: number, columns: number, rtl: boolean}} */
  #size = { rows: 1, columns: 1, rtl: false };

  /** @param {CellEditor} editor */
  constructor(editor) {
    const { signal } = this.#ended;
    box("map-grid").append(this.#cells);
    editByPointer(this.#cells, (event) => this.#cellAt(event), editor, signal);
    editByKeys(this.#cells, () => this.#size.rtl, editor, signal);
    const heads = (/** @type {string} */ id, /** @type {(index: number) => void} */ act) =>
      box(id).addEventListener(
        "click",
        (event) => {
          const index = placeIn(box(id), event.target);
          if (index === -1) return;
          event.stopImmediatePropagation();
          act(index);
        },
        { capture: true, signal },
      );
    heads("row-heads", (row) => editor.uniform(row));
    heads("column-heads", (column) => editor.blockColumn(column));
  }

  /** @param {EditedView} view @param {Cell} cell */
  draw({ rows, columns, columnText }, { row, column }) {
    const rtl = direction(columnText) === "rtl";
    this.#size = { rows: rows.length, columns: columns.length, rtl };
    this.#chosen.style.insetInlineStart = `${(column / columns.length) * 100}%`;
    this.#chosen.style.top = `${(row / rows.length) * 100}%`;
    this.#chosen.style.width = `${100 / columns.length}%`;
    this.#chosen.style.height = `${100 / rows.length}%`;
  }

  end() {
    this.#ended.abort();
    this.#cells.remove();
  }

  /** @param {PointerEvent} event */
  #cellAt({ clientX, clientY }) {
    const { rows, columns, rtl } = this.#size;
    const frame = this.#cells.getBoundingClientRect();
    const place = (/** @type {number} */ share, /** @type {number} */ count) =>
      Math.min(Math.max(Math.floor(share * count), 0), count - 1);
    const across = place((clientX - frame.left) / frame.width, columns);
    return {
      row: place((clientY - frame.top) / frame.height, rows),
      column: rtl ? columns - 1 - across : across,
    };
  }
}

/** The index of the heading that was pressed, or -1. @param {Element} heads @param {EventTarget | null} target */
const placeIn = ({ children }, target) =>
  [...children].findIndex((head) => head.contains(/** @type {Node} */ (target)));
