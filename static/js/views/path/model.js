/** The path as shapes, in pixels of the picture. Pure. */

/** @import {Box, GlimpseTrace, Palette} from "../../core/types" */
/** @import {Raster} from "../../draw/raster.js" */

import { colour } from "../../core/colours.js";
import { middleOf } from "../../core/kinds/glimpses.js";

/** Room around the picture, as a share of its side: squares reach beyond it. */
const AROUND = 0.12;

/**
 * @typedef {object} PathShapes
 * @property {{left: number, top: number, width: number, height: number}} frame the picture and the room around it
 * @property {{x: number, y: number}[]} middles of the glimpses
 * @property {Box[][]} glimpses the squares of each, the finest first
 * @property {number} unit a hundredth of the picture's longer side
 */

/** @param {Pick<GlimpseTrace, "picture" | "target">} trace @returns {PathShapes} */
export function pathShapes({ picture: { width, height }, target: { glimpses } }) {
  const around = AROUND * Math.max(width, height);
  return {
    frame: {
      left: -around,
      top: -around,
      width: width + 2 * around,
      height: height + 2 * around,
    },
    middles: glimpses.map(middleOf),
    glimpses,
    unit: Math.max(width, height) / 100,
  };
}

/** The line through the glimpses up to one of them, as points of SVG. @param {PathShapes["middles"]} middles @param {number} until */
export const lineUntil = (middles, until) =>
  middles
    .slice(0, until + 1)
    .map(({ x, y }) => `${x},${y}`)
    .join(" ");

/**
 * The content of a patch, by the square that it comes from.
 * @param {Box[]} boxes @param {number} scale @param {number} pixels of its side
 */
export function patchName(boxes, scale, pixels) {
  const { side } = boxes[scale];
  const across = Math.round(side / pixels);
  const size = `${side} × ${side} pixels`;
  return across === 1 ? `${size}, each of them` : `${size}, means of ${across} × ${across}`;
}

/** A patch as a raster. @param {number[][]} rows @param {Palette} palette @returns {Raster} */
export const patchRaster = (rows, palette) => ({
  rows: rows.length,
  columns: rows[0]?.length ?? 0,
  colourAt: (row, column) => colour(palette, rows[row][column]),
});
