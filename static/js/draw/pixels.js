/** The cells of a heatmap on a canvas: one pixel each, scaled up without smoothing. */

import { element } from "./dom.js";

/**
 * @param {{rows: number, columns: number}} size @param {(row: number, column: number) => string} colourAt
 * @param {boolean} rtl true if the columns run from right to left
 */
export function pixels({ rows, columns }, colourAt, rtl = false) {
  const canvas = element("canvas", { width: columns, height: rows, class: "pixels" });
  const brush = canvas.getContext("2d");
  for (let row = 0; brush && row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      brush.fillStyle = colourAt(row, column);
      brush.fillRect(rtl ? columns - 1 - column : column, row, 1, 1);
    }
  }
  return canvas;
}
