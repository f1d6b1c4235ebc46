/** A small map: a pixel a cell, painted once and scaled up without smoothing. */

import { element } from "./dom.js";

/**
 * @param {number[][]} values @param {(value: number, row: number, column: number) => string} shade
 * @param {boolean} rtl whether the columns run from right to left
 */
export function pixels(values, shade, rtl) {
  const columns = values[0]?.length ?? 0;
  const canvas = element("canvas", { width: columns, height: values.length, class: "pixels" });
  const brush = canvas.getContext("2d");
  if (!brush) return canvas;
  values.forEach((row, i) =>
    row.forEach((value, j) => {
      brush.fillStyle = shade(value, i, j);
      brush.fillRect(rtl ? columns - 1 - j : j, i, 1, 1);
    }),
  );
  return canvas;
}
