/** The ribbons as SVG. Pure. */

/** @import {Scene} from "../../core/types" */
/** @import {SvgHow} from "../types" */

import { INK } from "../../draw/ink.js";
import { sheet, turned, withoutAttention } from "../../draw/paper/sheet.js";
import { SIZE, ribbonsDrawing } from "./marks.js";
import { linksShown } from "../../core/gold_links.js";
import { linkLines, ribbons } from "./model.js";

/** @param {Scene} scene @param {SvgHow} how */
export function draw(scene, { measure, moment }) {
  const { view, mass } = scene;
  if (!view.weights) return withoutAttention(scene, measure, moment);
  const wide = (/** @type {string} */ text) => measure(text, { size: SIZE });
  const laid = turned((room) => ribbons(view, { room, mass, measure: wide }));
  const current = moment?.current ?? null;
  const until = moment?.row ?? Infinity;
  const { source, target, links } = linksShown(scene);
  const lines = linkLines(laid, view, source, target, links);
  const marks = ribbonsDrawing(
    scene,
    laid,
    INK,
    lines,
  )({ row: current, column: null, current, until });
  // The ribbons connect the two sentences, so these are part of the drawing.
  return sheet(scene, { ...laid, marks }, measure, {
    sentences: "none",
    about: scene.kind.mapNote(scene),
  });
}
