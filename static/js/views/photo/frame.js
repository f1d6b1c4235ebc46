/** The photo of the page under its map, and the cell under the pointer. */

/** @import {GridAxis, PictureScene, PictureSeen} from "../../core/types" */

import { cellAt, cellRectangle } from "../../core/grid.js";
import { shownAspect } from "../../core/photo_map.js";
import { box, byId } from "../../draw/dom.js";
import { paintHeat } from "../../draw/photo_heat.js";
import { Tooltip } from "../../draw/tooltip.js";

/** The move of an arrow key, in rows and columns. @type {Record<string, [number, number]>} */
export const MOVES = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** @typedef {{source: GridAxis, picture: {width: number, height: number}}} Cells */

/** The cell of a picture under the pointer. @param {Element} picture its element @param {MouseEvent} event @param {Cells} cells */
export function cellUnder(picture, { clientX, clientY }, { source, picture: size }) {
  const { left, top, width, height } = picture.getBoundingClientRect();
  return cellAt(source, (clientX - left) / width, (clientY - top) / height, size);
}

/** The place of a cell on the screen. @param {Element} picture its element @param {number} cell @param {Cells} cells */
export function placeOf(picture, cell, { source, picture: size }) {
  const frame = picture.getBoundingClientRect();
  const { left, top, width, height } = cellRectangle(source, cell, size);
  return new DOMRect(
    frame.left + left * frame.width,
    frame.top + top * frame.height,
    width * frame.width,
    height * frame.height,
  );
}

export class PhotoFrame {
  node = box("photo");
  #image = byId("photo-image", HTMLImageElement);
  #canvas = byId("photo-heat", HTMLCanvasElement);
  #marks = /** @type {SVGSVGElement} */ (
    /** @type {unknown} */ (document.getElementById("photo-marks"))
  );
  #tooltip = new Tooltip();

  constructor() {
    this.node.addEventListener("pointerleave", () => this.#tooltip.hide());
  }

  /** Shows a photo while its request runs. @param {string} url */
  preview(url) {
    this.node.removeAttribute("data-painted");
    this.node.toggleAttribute("data-waiting", true);
    this.mark([]);
    this.#canvas.width = 1;
    this.#image.onload = () =>
      this.#fit({ width: this.#image.naturalWidth, height: this.#image.naturalHeight });
    this.#image.onerror = () => this.#image.removeAttribute("src"); // not a broken-image icon
    this.#image.src = url;
  }

  /** @param {PictureSeen} picture */
  show(picture) {
    this.node.removeAttribute("data-waiting");
    this.#image.onload = null;
    if (this.#image.src !== picture.preview) this.#image.src = picture.preview;
    this.#fit(picture);
  }

  /** @param {{width: number, height: number}} size */
  #fit(size) {
    this.node.style.setProperty("--aspect", String(shownAspect(size)));
  }

  /** Paints the map of a row. @param {PictureScene} scene @param {number} row */
  paint(scene, row) {
    paintHeat(this.#canvas, scene, row);
  }

  /** Shows marks over the map. @param {SVGElement[]} marks */
  mark(marks) {
    this.#marks.replaceChildren(...marks);
  }

  /** Explains a cell. @param {string} text @param {number} cell @param {Cells} cells */
  explain(text, cell, cells) {
    this.#tooltip.explain(text, placeOf(this.node, cell, cells));
  }

  hide() {
    this.#tooltip.hide();
  }
}
