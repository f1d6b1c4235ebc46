/** The map of a word over a photo. Pure. */

/** @import {PictureScene} from "./types" */

import { FINE, fieldOf, scaledTo } from "./field.js";

/**
 * The smooth field of a row, of its weights or of what edits changed. Smoothing lowers the peak; the
 * field is scaled back, so that its maximum is the largest weight of the row, as in every number on
 * the page.
 * @param {PictureScene} scene @param {number} row @param {number} [fine]
 */
export function fieldAt({ trace: { source }, weights, difference, smoothing }, row, fine = FINE) {
  const own = (difference ?? weights)[row] ?? [];
  const field = fieldOf(own, source.rows, source.columns, smoothing, fine);
  return scaledTo(field, Math.max(0, ...own.map(Math.abs)));
}

/** Limits of the aspect ratio on the page; longer or wider pictures are distorted. */
const NARROWEST = 0.3;
const WIDEST = 4;

/** The displayed width over height. @param {{width: number, height: number}} picture */
export const shownAspect = ({ width, height }) =>
  Math.min(Math.max(width / height, NARROWEST), WIDEST);
