/** PNG images of sheets, and the function that measures text. Loaded with the first export. */

/** @import {Sheet} from "./svg/sheet.js" */
/** @import {Face} from "./svg/type.js" */

import { font } from "./svg/type.js";

/** Pixels of a PNG per CSS pixel, sharp enough for print; the limits are those of browsers. */
const SHARP = 3;
const MOST_PIXELS = 16e6;
const LONGEST = 8192;

/** @type {CanvasRenderingContext2D | null} */
let ruler = null;

/** The width of a text in pixels. @param {string} text @param {Face} face */
export function measure(text, face) {
  ruler ??= document.createElement("canvas").getContext("2d");
  if (!ruler) return text.length * face.size * 0.55;
  ruler.font = font(face);
  return ruler.measureText(text).width;
}

/** The scale for a sheet: the wanted one, or the largest within the limits. @param {Sheet} sheet @param {number} wanted @param {number} [pixels] */
export const scaleOf = ({ width, height }, wanted, pixels = MOST_PIXELS) =>
  Math.min(wanted, Math.sqrt(pixels / (width * height)), LONGEST / Math.max(width, height));

/**
 * @param {Sheet} sheet @param {number} scale @param {{width: number, height: number}} [size] of the canvas, if all frames must have the same one
 * @returns {Promise<CanvasRenderingContext2D>}
 */
export async function painted(sheet, scale, size) {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([sheet.svg], { type: "image/svg+xml" }));
  try {
    image.src = url;
    await image.decode();
  } finally {
    URL.revokeObjectURL(url);
  }
  const canvas = document.createElement("canvas");
  canvas.width = size?.width ?? Math.round(sheet.width * scale);
  canvas.height = size?.height ?? Math.round(sheet.height * scale);
  const brush = canvas.getContext("2d", { willReadFrequently: size !== undefined });
  if (!brush) throw new Error("no canvas here");
  brush.fillStyle = "#ffffff";
  brush.fillRect(0, 0, canvas.width, canvas.height);
  brush.drawImage(image, 0, 0, Math.round(sheet.width * scale), Math.round(sheet.height * scale));
  return brush;
}

/** @param {Sheet} sheet @returns {Promise<Blob>} */
export async function png(sheet) {
  const { canvas } = await painted(sheet, scaleOf(sheet, SHARP));
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large"))),
      "image/png",
    ),
  );
}
