/** PNG images of sheets, and the function that measures text. Loaded with the first export. */

/** @import {Sheet} from "../draw/paper/sheet.js" */
/** @import {Face} from "../draw/type.js" */

import { font } from "../draw/type.js";
import { withResolution } from "./png_resolution.js";

const CSS_DPI = 96;
/** A slide, 16 : 9, of 13⅓ by 7½ inches in the programs for slides, and the share a drawing fills. */
const SLIDE = { width: 3840, height: 2160, dpi: 288 };
const FILLED = 0.92;
/** The limits of browsers. */
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

/**
 * The sheet as a PNG in its size in print, or in the middle of a slide.
 * @param {Sheet} sheet @param {string} [size] dots per inch, or `slide`
 */
export async function png(sheet, size = "300") {
  const slide = size === "slide";
  const { width, height } = sheet;
  const fitting = Math.min(SLIDE.width / width, SLIDE.height / height) * FILLED;
  const { print = 1 } = sheet;
  const scale = scaleOf(sheet, slide ? fitting : (Number(size) / CSS_DPI) * print);
  const { canvas } = await painted(sheet, scale);
  const bytes = await encoded(slide ? onSlide(canvas) : canvas);
  return withResolution(bytes, slide ? SLIDE.dpi : (scale / print) * CSS_DPI);
}

/** @param {HTMLCanvasElement} drawing */
function onSlide(drawing) {
  const canvas = document.createElement("canvas");
  canvas.width = SLIDE.width;
  canvas.height = SLIDE.height;
  const brush = canvas.getContext("2d");
  if (!brush) throw new Error("no canvas here");
  brush.fillStyle = "#ffffff";
  brush.fillRect(0, 0, canvas.width, canvas.height);
  const left = Math.round((canvas.width - drawing.width) / 2);
  brush.drawImage(drawing, left, Math.round((canvas.height - drawing.height) / 2));
  return canvas;
}

/** @param {HTMLCanvasElement} canvas @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function encoded(canvas) {
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!(blob instanceof Blob)) throw new Error("the picture is too large");
  return new Uint8Array(await blob.arrayBuffer());
}
