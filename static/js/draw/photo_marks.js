/** Marks over a photo: the regions with most of the attention, and single cells. Pure. */

/** @import {PictureScene} from "../core/types" */
/** @import {Area, Attributes, Mark} from "./marks.js" */

import { levelOf, outline } from "../core/field.js";
import { cellRectangle } from "../core/grid.js";
import { drawnAt } from "../core/grid_scene.js";
import { SURROUNDED } from "../core/photo_colours.js";
import { fieldAt } from "../core/photo_map.js";
import { mark, number } from "./marks.js";

/**
 * @typedef {{width: number, height: number}} Size of the photo
 * @typedef {(place: Area, attributes?: Attributes) => Mark} PhotoOf the photo at a place
 */

/** The unit of outlines: a photo is so many wide and high. */
const UNITS = 1000;
const WHITE = "#ffffff";
const BLACK = "#000000";

/** The regions with most of the attention, and the randomly drawn cells. @param {PictureScene} scene @param {number} row @param {Size} size @returns {Mark[]} */
export function photoMarks(scene, row, size) {
  const lines = scene.style === "outline" && !scene.difference ? around(scene, row, size) : [];
  return [...lines, ...drawnAt(scene, row).flatMap(({ cell }) => square(scene, cell, size))];
}

/** @param {PictureScene} scene @param {number} row @param {Size} size */
function around(scene, row, { width, height }) {
  const field = fieldAt(scene, row);
  return SURROUNDED.flatMap((share, index) => {
    // Scaled here: many vector graphics programs do not support `non-scaling-stroke`.
    const d = outline(field, levelOf(field, share)).replace(
      /([\d.]+) ([\d.]+)/g,
      (_, x, y) => `${number((x * width) / UNITS)} ${number((y * height) / UNITS)}`,
    );
    const line = { d, fill: "none", "stroke-linecap": "round", "data-inner": index ? null : "" };
    return [
      mark("path", { ...line, stroke: BLACK, "stroke-width": 2.5, class: "around under" }),
      mark("path", { ...line, stroke: WHITE, "stroke-width": 1.2, class: "around over" }),
    ];
  });
}

/** The edge of a cell, dark and light so that it is seen on any photo. @param {PictureScene} scene @param {number} cell @param {Size} size @param {{name?: string, over?: string}} [how] `over`: the light colour */
export function square(scene, cell, size, { name = "drawn", over = WHITE } = {}) {
  const place = { ...cellPlace(scene, cell, size), fill: "none" };
  const named = `square ${name}`;
  return [
    mark("rect", { ...place, stroke: BLACK, "stroke-width": 3, class: `${named} under` }),
    mark("rect", { ...place, stroke: over, "stroke-width": 1.5, class: `${named} over` }),
  ];
}

/** The place of a cell on a photo of this size. @param {PictureScene} scene @param {number} cell @param {Size} size */
export function cellPlace({ trace: { source, picture } }, cell, size) {
  const { left, top, width, height } = cellRectangle(source, cell, picture);
  return {
    x: left * size.width,
    y: top * size.height,
    width: width * size.width,
    height: height * size.height,
  };
}

/** The photo of an address. @param {string} address @returns {PhotoOf} */
export const photoOf = (address) => (place, attributes) =>
  mark("image", { ...place, href: address, preserveAspectRatio: "none", ...attributes });

/** The photo that the sheet of an export contains once, however many figures show it. @type {PhotoOf} */
export const sheetPhoto = ({ x, y, width, height }, attributes) =>
  mark("use", {
    href: "#photo",
    transform: `translate(${number(x)} ${number(y)}) scale(${number(width)} ${number(height)})`,
    ...attributes,
  });
