/** The way in which all views edit a weight with a pointer: drag it up or down, press to block. */

/** @import {GridAxis} from "../core/types" */
/** @import {Cell, CellEditor} from "./types" */

import { EDIT_KEYS } from "../core/edit_keys.js";
import { beside } from "../core/grid.js";

/** The way of the pointer for a weight from 0 to 1, in pixels. */
const WAY = 140;
/** A pointer that moves less is only pressed. */
const SLACK = 4;

/**
 * Listens until the signal is aborted. A second finger takes the drag back: two fingers scroll or zoom.
 * @param {HTMLElement | SVGElement} at @param {(event: PointerEvent) => Cell | null} cellOf
 * @param {CellEditor} editor @param {AbortSignal} signal
 */
export function editByPointer(at, cellOf, editor, signal) {
  /** @type {{id: number, cell: Cell, y: number, from: number, moved: boolean} | null} */
  let held = null;
  let frame = 0;
  /** @type {number | null} */
  let weight = null;
  const move = () => {
    frame = 0;
    if (held && weight !== null) editor.set(held.cell, weight);
    weight = null;
  };
  const release = () => {
    if (!held) return;
    const { cell, moved } = held;
    if (frame) cancelAnimationFrame(frame);
    move();
    held = null;
    if (moved) editor.settle();
    else editor.block(cell);
  };
  const drop = () => {
    if (frame) cancelAnimationFrame(frame);
    frame = 0;
    const moved = held?.moved;
    held = weight = null;
    if (moved) editor.drop();
  };
  /** @type {Record<string, (event: PointerEvent) => void>} */
  const listeners = {
    pointerdown(event) {
      if (held && event.pointerId !== held.id) return drop();
      const cell = event.button === 0 ? cellOf(event) : null;
      if (!cell) return;
      event.preventDefault();
      if (at.tabIndex >= 0) at.focus({ preventScroll: true });
      at.setPointerCapture(event.pointerId);
      editor.choose(cell);
      const from = editor.weightOf(cell);
      held = { id: event.pointerId, cell, y: event.clientY, from, moved: false };
    },
    pointermove(event) {
      if (!held || event.pointerId !== held.id) return;
      const way = held.y - event.clientY;
      held.moved ||= Math.abs(way) >= SLACK;
      if (!held.moved) return;
      weight = Math.min(Math.max(held.from + way / WAY, 0), 1);
      frame ||= requestAnimationFrame(move);
    },
    pointerup: release,
    pointercancel: drop,
  };
  for (const [name, listener] of Object.entries(listeners))
    at.addEventListener(name, /** @type {EventListener} */ (listener), { signal });
}

/** Other keys in the same places. @type {Record<string, string>} */
const ALIASES = { "=": "+", "−": "-", Backspace: "Delete" };
/** The step of a weight by keyboard. */
const STRIDE = 0.05;
/** @type {Record<string, {row: number, column: number}>} */
const WAYS = {
  left: { row: 0, column: -1 },
  right: { row: 0, column: 1 },
  up: { row: -1, column: 0 },
  down: { row: 1, column: 0 },
};

/**
 * Listens to the keys: arrows choose a cell, others change it (`EDIT_KEYS`).
 * @param {HTMLElement | SVGElement} at @param {() => boolean} rtl true if columns run from right to left
 * @param {CellEditor} editor @param {AbortSignal} signal
 */
export function editByKeys(at, rtl, editor, signal) {
  const pressed = (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { cell } = editor;
    const action = EDIT_KEYS[ALIASES[event.key] ?? event.key];
    const way = WAYS[action];
    if (way) {
      const column = cell.column + (rtl() ? -way.column : way.column);
      editor.choose({ row: cell.row + way.row, column });
    } else if (action === "more") step(editor, STRIDE);
    else if (action === "less") step(editor, -STRIDE);
    else if (action === "block" && event.shiftKey) editor.blockColumn(cell.column);
    else if (action === "block") editor.block(cell);
    else if (action === "uniform") editor.uniform(cell.row);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  at.addEventListener("keydown", /** @type {EventListener} */ (pressed), { signal });
}

/** The editor for keys of cells that stand in rows over a photo, where there is one. @param {CellEditor} editor @param {() => GridAxis | undefined} sourceOf @returns {CellEditor} */
export const overCells = (editor, sourceOf) =>
  moving(editor, ({ row, column }, down, right) => {
    const source = sourceOf();
    return source
      ? { row, column: beside(source, column, down, right) }
      : { row: row + down, column: column + right };
  });

/** The editor for keys of a map whose columns stand one below the other. @param {CellEditor} editor @returns {CellEditor} */
export const turned = (editor) =>
  moving(editor, ({ row, column }, down, right) => ({ row: row + right, column: column + down }));

/** @param {CellEditor} editor @param {(cell: Cell, down: number, right: number) => Cell} to the cell that many places away @returns {CellEditor} */
const moving = (editor, to) =>
  Object.create(editor, {
    choose: {
      value: (/** @type {Cell} */ { row, column }) => {
        const { cell } = editor;
        editor.choose(to(cell, row - cell.row, column - cell.column));
      },
    },
  });

/** @param {CellEditor} editor @param {number} by */
function step(editor, by) {
  const weight = editor.weightOf(editor.cell) + by;
  editor.set(editor.cell, Math.min(Math.max(weight, 0), 1));
  editor.settle();
}
