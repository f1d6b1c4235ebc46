/** The arcs between the words of one sentence as SVG, up to a row where it is a frame of an animation. Pure. */

/** @import {Scene} from "../../core/types" */
/** @import {SvgHow} from "../types" */

import { arcsNote } from "../../core/view_notes.js";
import { INK } from "../../draw/ink.js";
import { sheet, turned, withoutAttention } from "../../draw/paper/sheet.js";
import { SIZE, arcsDrawing } from "./marks.js";
import { layOut } from "./model.js";

/** @param {Scene} scene @param {SvgHow} how */
export function draw(scene, { measure, moment }) {
  if (!scene.view.weights) return withoutAttention(scene, measure, moment);
  const wide = (/** @type {string} */ text) => measure(text, { size: SIZE });
  const laid = turned((room) => layOut(scene.view, { room, measure: wide }));
  const marks = arcsDrawing(
    scene,
    laid,
    INK,
  )({
    row: moment ? moment.current : scene.row,
    until: moment?.row ?? Infinity,
  });
  // The words are part of the drawing.
  return sheet(scene, { ...laid, marks }, measure, { sentences: "none", about: arcsNote(scene) });
}
