/** The photo with the map over it. Plotly draws it once a word is selected; moving frames are painted on a canvas. */

/** @import {PictureScene, PictureSettings, PictureTrace} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */

import { box } from "../../draw/dom.js";
import { beside, cellsBetween, firstCell } from "../../core/grid.js";
import { MOVES, PhotoFrame, cellUnder } from "./frame.js";
import { cellNote } from "../../core/grid_sentences.js";
import { marksOf, region, square } from "./overlay.js";

/** Plotly draws after this time without movement. */
const REST_MS = 120;
/** Pixels of a finger's way across the photo that make it a swipe. */
const SWIPE = 40;
export class View {
  #photo = new PhotoFrame();
  #plot = box("photo-plot");
  /** @type {PictureScene | null} */
  #scene = null;
  #row = 0;
  /** The cell the keyboard is at, once it has been used. @type {number | null} */
  #cursor = null;
  /** The cell where the pointer went down, and the selection while it is dragged. @type {{from: number, cells: number[], before: number[]} | null} */
  #drawing = null;
  /** The place where a finger went down, which swipes from word to word instead of drawing. @type {number | null} */
  #finger = null;
  /** One corner of the cells selected with the keyboard. */
  #anchor = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #select;
  #go;

  /** @param {ViewWiring<PictureSettings, PictureTrace>} wiring */
  constructor({ change, select }) {
    this.#go = select;
    this.#select = (/** @type {number[]} */ cells) => change({ cells });
    this.#photo.node.addEventListener("pointerdown", (event) => this.#pressed(event));
    this.#photo.node.addEventListener("pointermove", (event) => this.#moved(event));
    this.#photo.node.addEventListener("pointerup", (event) => this.#released(event));
    this.#photo.node.addEventListener("pointercancel", () => this.#cancelled());
    this.#photo.node.addEventListener("keydown", (event) => this.#key(event));
    this.#photo.node.addEventListener("blur", () => this.#goTo(null));
  }

  /** Shows a photo while its request runs. @param {string} url */
  preview(url) {
    this.#scene = null;
    clearTimeout(this.#timer);
    this.#photo.node.removeAttribute("data-plotted");
    this.#photo.preview(url);
  }

  /** @param {PictureScene} scene */
  draw(scene) {
    this.#scene = scene;
    this.#photo.show(scene.trace.picture);
  }

  /** @param {number} row @param {RowState} state */
  at(row, { settled }) {
    const scene = this.#scene;
    if (!scene) return;
    this.#row = row;
    this.#photo.node.removeAttribute("data-plotted");
    this.#photo.paint(scene, row);
    this.#mark();
    clearTimeout(this.#timer);
    if (settled) this.#timer = setTimeout(() => this.#settle(scene, row), REST_MS);
  }

  /** Draws the painted map with Plotly. @param {PictureScene} scene @param {number} row */
  async #settle(scene, row) {
    const size = { width: this.#photo.node.clientWidth, height: this.#photo.node.clientHeight };
    if (!size.width) return;
    try {
      const [{ paint }, { photoFigure }] = await Promise.all([
        import("../../draw/plotly.js"),
        import("./model.js"),
      ]);
      await paint(this.#plot, photoFigure(scene, row, size));
      if (this.#scene !== scene || this.#row !== row) return;
      this.#photo.node.toggleAttribute("data-plotted", true);
      this.#photo.node.dataset.painted = String(row + 1);
    } catch {
      // The canvas stays: it shows the same map.
    }
  }

  /** @param {number} cell */
  #explain(cell) {
    const scene = this.#scene;
    if (!scene) return;
    this.#photo.explain(cellNote(scene, this.#row, cell), cell, scene.trace);
  }

  /** Draws the marks over the map: lines around most of it, drawn cells, selected cells, the keyboard's cell. */
  #mark() {
    const scene = this.#scene;
    if (!scene) return;
    const selected = this.#drawing?.cells ?? scene.cells;
    const cursor = this.#cursor === null ? [] : square(scene, this.#cursor, "cursor");
    this.#photo.mark([...marksOf(scene, this.#row), ...region(scene, selected), ...cursor]);
  }

  /** @param {PointerEvent} event @param {PictureScene} scene */
  #cellUnder(event, { trace }) {
    return cellUnder(this.#photo.node, event, trace);
  }

  /** @param {PointerEvent} event */
  #pressed(event) {
    if (!this.#scene || event.button !== 0) return;
    const from = this.#cellUnder(event, this.#scene);
    const before = event.ctrlKey || event.metaKey || event.shiftKey ? this.#scene.cells : [];
    this.#drawing = { from, cells: [...new Set([...before, from])], before };
    this.#finger = event.pointerType === "touch" ? event.clientX : null;
    this.#photo.node.setPointerCapture(event.pointerId);
    this.#mark();
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    if (!this.#scene) return;
    if (!this.#drawing)
      return void (
        event.pointerType === "mouse" && this.#explain(this.#cellUnder(event, this.#scene))
      );
    if (this.#finger !== null) return;
    const { from, before } = this.#drawing;
    this.#drawing.cells = [
      ...new Set([
        ...before,
        ...cellsBetween(this.#scene.trace.source, from, this.#cellUnder(event, this.#scene)),
      ]),
    ];
    this.#mark();
  }

  /** @param {PointerEvent} event */
  #released({ clientX }) {
    const [drawing, scene] = [this.#drawing, this.#scene];
    this.#drawing = null;
    if (!drawing || !scene) return;
    const way = this.#finger === null ? 0 : clientX - this.#finger;
    if (Math.abs(way) >= SWIPE) {
      this.#mark();
      return this.#go(scene.row - Math.sign(way));
    }
    const { from, cells, before } = drawing;
    // Pressed again, a selected cell is cleared.
    const again =
      cells.length === before.length ||
      (scene.cells.length === 1 && cells.length === 1 && cells[0] === scene.cells[0]);
    this.#select(again ? before.filter((cell) => cell !== from) : cells);
  }

  #cancelled() {
    this.#drawing = null;
    this.#mark();
  }

  /** @param {number | null} cell */
  #goTo(cell) {
    this.#cursor = cell;
    if (cell === null) this.#photo.hide();
    else this.#explain(cell);
    this.#mark();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const scene = this.#scene;
    if (!scene || event.ctrlKey || event.metaKey || event.altKey) return;
    const { source } = scene.trace;
    const move = MOVES[event.key];
    if (move) {
      const to =
        this.#cursor === null ? firstCell(scene, this.#row) : beside(source, this.#cursor, ...move);
      this.#goTo(to);
      if (event.shiftKey) this.#select(cellsBetween(source, this.#anchor, to));
      else this.#anchor = to;
      box("photo-said").textContent = cellNote(scene, this.#row, to);
    } else if ((event.key === "Enter" || event.key === " ") && this.#cursor !== null) {
      this.#anchor = this.#cursor;
      this.#select(
        scene.cells.length === 1 && scene.cells[0] === this.#cursor ? [] : [this.#cursor],
      );
    } else return;
    event.preventDefault();
    event.stopPropagation(); // here the arrows move over the photo, not from word to word
  }
}
