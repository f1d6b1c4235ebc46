/** The cells of a map as the pixels of a canvas. */

/** @import {Raster} from "./raster.js" */

import { html } from "./dom.js";

/** The cells, one pixel each, scaled up without smoothing. @param {Raster} raster @param {HTMLCanvasElement} [canvas] the one to paint on */
export function pixels({ rows, columns, colourAt, rtl = false }, canvas = html.canvas()) {
  canvas.className = "pixels";
  canvas.width = columns; // which clears it
  canvas.height = rows;
  const brush = canvas.getContext("2d");
  for (let row = 0; brush && row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      brush.fillStyle = colourAt(row, column);
      brush.fillRect(rtl ? columns - 1 - column : column, row, 1, 1);
    }
  }
  return canvas;
}
