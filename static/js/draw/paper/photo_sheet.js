/** The sheet of an export of a picture's trace, and the photo with a map over it. Pure; the heat image, which needs a canvas, is a parameter. */

/** @import {PictureScene} from "../../core/types" */
/** @import {Mark, Piece} from "../marks.js" */
/** @import {Sheet} from "./sheet.js" */
/** @import {Measure} from "../type.js" */

import { decodingNote } from "../../core/decoding.js";
import { INK, SANS } from "../ink.js";
import { at, mark, rect } from "../marks.js";
import { stacked } from "../pieces.js";
import { file } from "../paper.js";
import { photoMarks, sheetPhoto } from "../photo_marks.js";
import { paragraph, said } from "../type.js";
import { PIXELS_A_MILLIMETRE, printOf, printed } from "./sheet.js";

const MARGIN = 22;

/**
 * @param {PictureScene} scene @param {Piece} body @param {Measure} measure
 * @param {{room: number, about: string, until?: number}} how `until`: the number of characters written so far
 * @returns {Sheet}
 */
export function photoSheet(scene, body, measure, { room, about, until = Infinity }) {
  const heading = [scene.model.name, decodingNote(scene.trace, scene.output)];
  const name = paragraph(heading.filter(Boolean).join(" · "), { size: 10.5 }, room, measure, {
    fill: INK.soft,
    most: 2,
  });
  const asked = scene.asked
    ? [
        paragraph(said(scene.asked.text), { size: 13, serif: true }, room, measure, {
          fill: INK.soft,
        }),
      ]
    : [];
  const caption = paragraph(
    said(scene.output.text) || "(nothing)",
    { size: 16, serif: true },
    room,
    measure,
    { until },
  );
  const { header = true, millimetres = null } = scene.paper ?? {};
  const whole = stacked([...(header ? [name, ...asked, caption] : []), body], 10);
  const width = Math.ceil(room + 2 * MARGIN);
  const height = Math.ceil(whole.height + 2 * MARGIN);
  const root = {
    xmlns: "http://www.w3.org/2000/svg",
    ...printed(width, height, millimetres ?? width / PIXELS_A_MILLIMETRE),
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "font-family": SANS,
    fill: INK.ink,
  };
  const title = `${scene.model.name}: ${said(scene.output.text)}`;
  // The photo is stored once, however many panels show it.
  const photo = mark("image", {
    id: "photo",
    width: 1,
    height: 1,
    preserveAspectRatio: "none",
    href: scene.trace.picture.preview,
  });
  const marks = [
    { name: "title", attributes: {}, text: title },
    { name: "desc", attributes: {}, text: about },
    mark("defs", {}, [photo]),
    rect(0, 0, width, height, { fill: INK.paper }),
    at(MARGIN, MARGIN, whole.marks),
  ];
  return { svg: file(root, marks), width, height, print: printOf(width, millimetres) };
}

/** The photo with the map of a row and its marks. @param {PictureScene} scene @param {number} row @param {{width: number, height: number}} size @param {string} heat @returns {Mark[]} */
export function photoPanel(scene, row, { width, height }, heat) {
  const photo = sheetPhoto({ x: 0, y: 0, width, height });
  const map = mark("image", { width, height, preserveAspectRatio: "none", href: heat });
  return [photo, map, ...photoMarks(scene, row, { width, height })];
}
