/** A map as a small transparent image, for SVG. */

/** @import {PictureScene} from "../../core/types" */

import { element } from "../../shell/dom.js";
import { paintHeat } from "./overlay.js";

/** @param {PictureScene} scene @param {number} row @returns {string} an address of data */
export function heatAddress(scene, row) {
  const canvas = element("canvas", {});
  paintHeat(canvas, scene, row);
  return canvas.toDataURL("image/png");
}
