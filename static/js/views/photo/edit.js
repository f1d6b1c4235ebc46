/** Edits over the photo: a brush says where the attention goes, or where it does not; a press blocks a cell. */

/** @import {Cell, CellEditor, EditedView} from "../types" */

import { cellAt, cellRectangle, edgeOf } from "../../core/grid.js";
import { html, svg } from "../../draw/dom.js";
import { editByKeys, overCells } from "../edit_pointer.js";

/** A pointer that moves less is only pressed. */
const SLACK = 4;
/** The shares of a way at which the cells below it are looked up. */
const BETWEEN = 12;

export class Edit {
  #ended = new AbortController();
  #chosen = html.div({ class: "edit-chosen" });
  #blocked = svg("path", { class: "edit-blocked" });
  #edges = ["under", "over"].map((side) => svg("path", { class: `held ${side}` }));
  #blockedEdge = svg("path", { class: "square over" });
  #cells;
  #editor;
  /** @type {EditedView | null} */
  #view = null;
  /** The pointer that paints, and the cells below its way. @type {{id: number, x: number, y: number, cells: Set<number>, moved: boolean} | null} */
  #stroke = null;
  #frame = 0;

  /** @param {CellEditor} editor @param {HTMLElement} place */
  constructor(editor, place) {
    const { signal } = this.#ended;
    this.#editor = editor;
    const marks = svg("svg", {
      viewBox: "0 0 1000 1000",
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    });
    marks.append(this.#blocked, this.#blockedEdge, ...this.#edges);
    this.#cells = html.div(
      {
        id: "edit-cells",
        class: "edit-cells",
        tabindex: 0,
        role: "application",
        "aria-label":
          "Edit the cells of the photo. The arrow keys choose a cell, Enter brushes it, plus and minus change its weight, Delete blocks it.",
        "aria-describedby": "edit-help",
      },
      marks,
      this.#chosen,
    );
    place.append(this.#cells);
    this.#paintByPointer(signal);
    const keys = overCells(editor, () => this.#view?.photo?.source);
    editByKeys(this.#cells, () => false, keys, signal);
    this.#cells.addEventListener("keydown", (event) => this.#key(event), { signal });
  }

  /** @param {EditedView} view @param {Cell} cell */
  draw(view, { column }) {
    const { photo } = view;
    if (!photo) return;
    this.#view = view;
    const { source, picture, keys, blocked } = photo;
    const { left, top, width, height } = cellRectangle(source, column, picture);
    const place = { left, top, width, height };
    for (const [name, share] of Object.entries(place))
      this.#chosen.style.setProperty(name, `${share * 100}%`);
    for (const edge of this.#edges) edge.setAttribute("d", edgeOf(source, keys, picture));
    this.#blockedEdge.setAttribute("d", edgeOf(source, blocked, picture));
    this.#blocked.setAttribute("d", blocked.map((cell) => outlined(cell, photo)).join(""));
  }

  end() {
    this.#ended.abort();
    cancelAnimationFrame(this.#frame);
    this.#cells.remove();
  }

  /** @param {AbortSignal} signal */
  #paintByPointer(signal) {
    /** @type {Record<string, (event: PointerEvent) => void>} */
    const listeners = {
      pointerdown: (event) => this.#pressed(event),
      pointermove: (event) => this.#moved(event),
      pointerup: (event) => this.#released(event),
      pointercancel: (event) => this.#cancelled(event),
    };
    for (const [name, listener] of Object.entries(listeners))
      this.#cells.addEventListener(name, /** @type {EventListener} */ (listener), { signal });
    // The photo below would select cells.
    this.#cells.addEventListener("click", (event) => event.stopPropagation(), { signal });
  }

  /** @param {PointerEvent} event */
  #pressed(event) {
    event.stopPropagation();
    // Two fingers zoom and scroll.
    if (this.#stroke) return this.#drop();
    const cell = event.button === 0 && event.isPrimary ? this.#cellAt(event) : null;
    if (cell === null) return;
    this.#cells.focus({ preventScroll: true });
    this.#cells.setPointerCapture(event.pointerId);
    this.#choose(cell);
    const { pointerId: id, clientX: x, clientY: y } = event;
    this.#stroke = { id, x, y, cells: new Set([cell]), moved: false };
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    event.stopPropagation(); // its notes of cells would cover what is painted
    const stroke = this.#stroke;
    if (!stroke || event.pointerId !== stroke.id) return;
    const { clientX, clientY } = event;
    const { x, y } = stroke;
    stroke.moved ||= Math.hypot(clientX - x, clientY - y) >= SLACK;
    if (!stroke.moved) return;
    const frame = this.#cells.getBoundingClientRect();
    for (let step = 1; step <= BETWEEN; step++) {
      const share = step / BETWEEN;
      const at = { clientX: x + share * (clientX - x), clientY: y + share * (clientY - y) };
      const cell = this.#cellAt(at, frame);
      if (cell !== null) stroke.cells.add(cell);
    }
    Object.assign(stroke, { x: clientX, y: clientY });
    this.#frame ||= requestAnimationFrame(() => this.#paint());
  }

  #paint() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (this.#stroke?.moved) this.#editor.brush([...this.#stroke.cells]);
  }

  /** @param {PointerEvent} event */
  #released(event) {
    event.stopPropagation();
    const stroke = this.#stroke;
    if (!stroke || event.pointerId !== stroke.id) return;
    if (stroke.moved) this.#paint();
    this.#stroke = null;
    if (stroke.moved) this.#editor.settle();
    else this.#editor.block(this.#editor.cell);
  }

  /** @param {PointerEvent} event */
  #cancelled(event) {
    event.stopPropagation();
    this.#drop();
  }

  /** Takes back what the pointer painted. */
  #drop() {
    const stroke = this.#stroke;
    this.#stroke = null;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (stroke?.moved) this.#editor.drop();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key !== "Enter" && event.key !== " ") return;
    this.#editor.brush([this.#editor.cell.column]);
    this.#editor.settle();
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} column */
  #choose(column) {
    this.#editor.choose({ row: this.#editor.cell.row, column });
  }

  /** @param {{clientX: number, clientY: number}} at @param {DOMRect} frame of the cells */
  #cellAt({ clientX, clientY }, frame = this.#cells.getBoundingClientRect()) {
    const photo = this.#view?.photo;
    if (!photo) return null;
    const { left, top, width, height } = frame;
    return cellAt(photo.source, (clientX - left) / width, (clientY - top) / height, photo.picture);
  }
}

/** The outline of a cell. @param {number} cell @param {NonNullable<EditedView["photo"]>} photo */
function outlined(cell, { source, picture }) {
  const { left, top, width, height } = cellRectangle(source, cell, picture);
  const [west, east, north, south] = [left, left + width, top, top + height].map((share) =>
    (share * 1000).toFixed(1),
  );
  return `M${west} ${north}H${east}V${south}H${west}Z`;
}
