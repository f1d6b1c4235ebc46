/** The map over a photo, on a canvas and as an image. */

/** @import {PictureScene} from "../core/types" */

import { topOf } from "../core/grid_scene.js";
import { painterOf, pixelsOf } from "../core/photo_colours.js";
import { fieldAt } from "../core/photo_map.js";
import { html } from "./dom.js";

/** Paints the map of a row. @param {HTMLCanvasElement} canvas @param {PictureScene} scene @param {number} row */
export function paintHeat(canvas, scene, row) {
  const field = fieldAt(scene, row, scene.smoothing === 0 ? 1 : undefined);
  canvas.width = field.width;
  canvas.height = field.height;
  canvas.classList.toggle("crisp", scene.smoothing === 0);
  const pixels = pixelsOf(field, topOf(scene, row), painterOf(scene));
  canvas.getContext("2d")?.putImageData(new ImageData(pixels, field.width, field.height), 0, 0);
}

/** A map as a small transparent image, for SVG. @param {PictureScene} scene @param {number} row @returns {string} an address of data */
export function heatAddress(scene, row) {
  const canvas = html.canvas();
  paintHeat(canvas, scene, row);
  return canvas.toDataURL("image/png");
}
