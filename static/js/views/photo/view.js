/** The photo with the map over it. Plotly draws it once a word is selected; moving frames are painted on a canvas. */

/** @import {PictureScene, PictureSettings, PictureTrace} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */

import { box, byId } from "../../draw/dom.js";
import { paint } from "../../draw/plotly.js";
import { Tooltip } from "../../draw/tooltip.js";
import { beside, cellAt, cellRectangle, cellsBetween, strongestCell } from "../../core/grid.js";
import { photoFigure } from "./model.js";
import { shownAspect } from "../../core/photo_map.js";
import { cellNote } from "../../core/grid_sentences.js";
import { marksOf, region, square } from "./overlay.js";
import { paintHeat } from "../../draw/photo_heat.js";

/** Plotly draws after this time without movement. */
const REST_MS = 120;
/** @type {Record<string, [number, number]>} */
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class View {
  #frame = box("photo");
  #image = byId("photo-image", HTMLImageElement);
  #canvas = byId("photo-heat", HTMLCanvasElement);
  #plot = box("photo-plot");
  #marks = /** @type {SVGSVGElement} */ (
    /** @type {unknown} */ (document.getElementById("photo-marks"))
  );
  #tooltip = new Tooltip();
  /** @type {PictureScene | null} */
  #scene = null;
  #row = 0;
  /** The cell the keyboard is at, once it has been used. @type {number | null} */
  #cursor = null;
  /** The cell where the pointer went down, and the selection while it is dragged. @type {{from: number, cells: number[], before: number[]} | null} */
  #drawing = null;
  /** One corner of the cells selected with the keyboard. */
  #anchor = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #select;

  /** @param {ViewWiring<PictureSettings, PictureTrace>} wiring */
  constructor({ change }) {
    this.#select = (/** @type {number[]} */ cells) => change({ cells });
    this.#frame.addEventListener("pointerdown", (event) => this.#pressed(event));
    this.#frame.addEventListener("pointermove", (event) => this.#moved(event));
    this.#frame.addEventListener("pointerup", () => this.#released());
    this.#frame.addEventListener("pointercancel", () => this.#cancelled());
    this.#frame.addEventListener("keydown", (event) => this.#key(event));
    this.#frame.addEventListener("blur", () => this.#goTo(null));
    this.#frame.addEventListener("pointerleave", () => this.#tooltip.hide());
  }

  /** Shows a photo while its request runs. @param {string} url */
  preview(url) {
    this.#scene = null;
    clearTimeout(this.#timer);
    this.#frame.removeAttribute("data-plotted");
    this.#frame.removeAttribute("data-painted");
    this.#frame.toggleAttribute("data-waiting", true);
    this.#marks.replaceChildren();
    this.#canvas.width = 1;
    this.#image.onload = () => this.#fit(this.#image.naturalWidth, this.#image.naturalHeight);
    this.#image.onerror = () => this.#image.removeAttribute("src"); // not a broken-image icon
    this.#image.src = url;
  }

  /** @param {PictureScene} scene */
  draw(scene) {
    this.#scene = scene;
    const { picture } = scene.trace;
    this.#frame.removeAttribute("data-waiting");
    this.#image.onload = null;
    if (this.#image.src !== picture.preview) this.#image.src = picture.preview;
    this.#fit(picture.width, picture.height);
  }

  /** @param {number} width @param {number} height */
  #fit(width, height) {
    this.#frame.style.setProperty("--aspect", String(shownAspect({ width, height })));
  }

  /** @param {number} row @param {RowState} state */
  at(row, { settled }) {
    const scene = this.#scene;
    if (!scene) return;
    this.#row = row;
    this.#frame.removeAttribute("data-plotted");
    paintHeat(this.#canvas, scene, row);
    this.#mark();
    clearTimeout(this.#timer);
    if (settled) this.#timer = setTimeout(() => this.#settle(scene, row), REST_MS);
  }

  /** Draws the painted map with Plotly. @param {PictureScene} scene @param {number} row */
  async #settle(scene, row) {
    const size = { width: this.#frame.clientWidth, height: this.#frame.clientHeight };
    if (!size.width) return;
    try {
      await paint(this.#plot, photoFigure(scene, row, size));
      if (this.#scene !== scene || this.#row !== row) return;
      this.#frame.toggleAttribute("data-plotted", true);
      this.#frame.dataset.painted = String(row + 1);
    } catch {
      // The canvas stays: it shows the same map.
    }
  }

  /** @param {number} cell */
  #explain(cell) {
    const scene = this.#scene;
    if (!scene) return;
    const place = cellRectangle(scene.trace.source, cell, scene.trace.picture);
    const frame = this.#frame.getBoundingClientRect();
    this.#tooltip.explain(
      cellNote(scene, this.#row, cell),
      new DOMRect(
        frame.left + place.left * frame.width,
        frame.top + place.top * frame.height,
        place.width * frame.width,
        place.height * frame.height,
      ),
    );
  }

  /** Draws the marks over the map: lines around most of it, drawn cells, selected cells, the keyboard's cell. */
  #mark() {
    const scene = this.#scene;
    if (!scene) return;
    const selected = this.#drawing?.cells ?? scene.cells;
    const cursor = this.#cursor === null ? [] : square(scene, this.#cursor, "cursor");
    this.#marks.replaceChildren(
      ...marksOf(scene, this.#row),
      ...region(scene, selected),
      ...cursor,
    );
  }

  /** @param {PointerEvent} event @param {PictureScene} scene */
  #cellUnder(event, { trace }) {
    const frame = this.#frame.getBoundingClientRect();
    return cellAt(
      trace.source,
      (event.clientX - frame.left) / frame.width,
      (event.clientY - frame.top) / frame.height,
      trace.picture,
    );
  }

  /** @param {PointerEvent} event */
  #pressed(event) {
    if (!this.#scene || event.button !== 0) return;
    const from = this.#cellUnder(event, this.#scene);
    const before = event.ctrlKey || event.metaKey || event.shiftKey ? this.#scene.cells : [];
    this.#drawing = { from, cells: [...new Set([...before, from])], before };
    this.#frame.setPointerCapture(event.pointerId);
    this.#mark();
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    if (!this.#scene) return;
    if (!this.#drawing)
      return void (
        event.pointerType === "mouse" && this.#explain(this.#cellUnder(event, this.#scene))
      );
    const { from, before } = this.#drawing;
    this.#drawing.cells = [
      ...new Set([
        ...before,
        ...cellsBetween(this.#scene.trace.source, from, this.#cellUnder(event, this.#scene)),
      ]),
    ];
    this.#mark();
  }

  #released() {
    const [drawing, scene] = [this.#drawing, this.#scene];
    this.#drawing = null;
    if (!drawing || !scene) return;
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
    if (cell === null) this.#tooltip.hide();
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
      // It begins at the cell with the largest weight.
      const to =
        this.#cursor === null
          ? strongestCell(scene.weights[this.#row])
          : beside(source, this.#cursor, ...move);
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
