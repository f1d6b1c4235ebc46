/** The picture within a text, with the map of one word, as SVG. Pure. */

/** @import {Scene} from "../../core/types" */
/** @import {SvgHow} from "../types" */

import { ExportRefused } from "../../core/errors.js";
import { textPictureScene, shareNote } from "../../core/text_picture_scene.js";
import { INK } from "../../draw/ink.js";
import { stacked } from "../../draw/pieces.js";
import { photoPanel, photoSheet } from "../../draw/paper/photo_sheet.js";
import { paragraph } from "../../draw/type.js";
import { shownAspect } from "../../core/photo_map.js";

const WIDTH = 460;

/** @param {Scene} scene @param {SvgHow} how */
export function draw(scene, { measure, heat, moment }) {
  const seen = textPictureScene(scene);
  if (!seen) throw new ExportRefused("This map has no picture among its columns.");
  const row = moment?.current ?? scene.row;
  const size = { width: WIDTH, height: WIDTH / shownAspect(seen.trace.picture) };
  const picture = { ...size, marks: photoPanel(seen, row, size, heat(row)) };
  const text = `${scene.kind.sentence(scene, row)} ${shareNote(seen, row)}`;
  const note = paragraph(text, { size: 11 }, WIDTH, measure, { fill: INK.soft, most: 4 });
  // The frames of an animation have one size.
  const fixed = { ...note, height: 4 * 11 * 1.4 };
  return photoSheet(seen, stacked([picture, fixed], 10), measure, { room: WIDTH, about: text });
}
