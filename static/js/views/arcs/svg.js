/** The arcs between the words of one sentence as SVG, up to a row where it is a frame of an animation. Pure. */

/** @import {Scene} from "../../core/types" */
/** @import {Moment} from "../../export/gif/frames.js" */
/** @import {Piece} from "../../draw/paper/markup.js" */
/** @import {Measure} from "../../draw/paper/type.js" */
/** @import {SvgHow} from "../types" */
/** @import {Arc} from "./model.js" */

import { weight } from "../../core/text.js";
import { INK } from "../../draw/paper/ink.js";
import { tag } from "../../draw/paper/markup.js";
import { ROOM, sheet, withoutAttention } from "../../draw/paper/sheet.js";
import { line } from "../../draw/paper/type.js";
import { arcsNote } from "../../core/view_notes.js";
import { arcsFrom, arcsOf, layOut, widthOf } from "./model.js";

/** Width of a landscape page, for long sentences. */
const TURNED = 900;
const SIZE = 16;

/** @param {Scene} scene @param {SvgHow} how */
export function draw(scene, { measure, moment }) {
  if (!scene.view.weights) return withoutAttention(scene, measure, moment);
  // The words are part of the drawing.
  return sheet(scene, drawing(scene, measure, moment), measure, {
    sentences: "none",
    about: arcsNote(scene),
  });
}

/** @param {Scene} scene @param {Measure} measure @param {Moment | null} moment @returns {Piece} */
function drawing({ view, least, row }, measure, moment) {
  const how = { measure: (/** @type {string} */ text) => measure(text, { size: SIZE }) };
  const upright = layOut(view, { ...how, room: ROOM });
  const turned = upright.across ? upright : layOut(view, { ...how, room: TURNED });
  const laid = turned.across ? turned : upright;
  const until = moment?.row ?? Infinity;
  const current = moment ? moment.current : row;
  const hides = view.columnAxis === "decoder_input";
  const arc = (/** @type {Arc} */ each, /** @type {number} */ strength) =>
    tag("path", {
      d: laid.path(each),
      fill: "none",
      stroke: INK.accent,
      "stroke-width": widthOf(each.weight),
      "stroke-opacity": strength,
      "stroke-linecap": "round",
    });
  const all = arcsOf(view, least)
    .filter((each) => each.row <= until && each.row !== current)
    .map((each) => arc(each, 0.22));
  const own = current === null ? [] : arcsFrom(view, current);
  const lit = new Set(own.map(({ column }) => column));
  const words = laid.points.map((point) => {
    if (hides && (point.row ?? -1) > until) return "";
    const here = point.row !== null && point.row === current;
    const mark = point.quiet === "mark";
    const face = { size: mark ? 12 : SIZE, italic: mark, bold: here };
    const bright = current === null || (point.column !== null && lit.has(point.column));
    return line(point.text, face, {
      x: point.x,
      y: laid.across ? point.y : point.y + face.size * 0.35,
      anchor: laid.across ? "middle" : "start",
      fill: here ? INK.accent : bright && !point.quiet ? INK.ink : INK.soft,
    });
  });
  const numbers = own.map((each) => {
    const { x, y } = laid.numberOf(each);
    return line(
      weight(each.weight),
      { size: 10.5 },
      {
        x: x + laid.numbers.x,
        y: y + laid.numbers.y + (laid.across ? 0 : 3.7),
        anchor: laid.across ? "middle" : "start",
        fill: INK.soft,
      },
    );
  });
  return {
    width: laid.width,
    height: laid.height,
    marks: [...all, ...own.map((each) => arc(each, 0.85)), ...words, ...numbers].join(""),
  };
}
