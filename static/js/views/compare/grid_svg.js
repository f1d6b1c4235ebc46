/** The same photo, captioned by each model, as SVG. Pure. */

/** @import {PictureScene} from "../../core/types" */
/** @import {Piece} from "../../draw/marks.js" */
/** @import {SvgHow} from "../types" */

import { ExportRefused } from "../../core/errors.js";
import { shownAspect } from "../../core/photo_map.js";
import { heading } from "../../core/text.js";
import { INK } from "../../draw/ink.js";
import { flowing, stacked } from "../../draw/pieces.js";
import { photoPanel, photoSheet } from "../../draw/paper/photo_sheet.js";
import { ROOM } from "../../draw/paper/sheet.js";
import { paragraph, said } from "../../draw/type.js";
import { NOT_YET, measured, shortName } from "./model.js";

const GAP = 28;
const SMALL = { size: 10 };

/** @param {PictureScene} scene @param {SvgHow} how */
export function draw(scene, { companions, heat, measure, moment }) {
  const scenes = /** @type {PictureScene[] | null | undefined} */ (companions?.drawn);
  if (!scenes) throw new ExportRefused(NOT_YET);
  const across = Math.min(Math.max(scenes.length, 2), 3);
  const room = (ROOM - (across - 1) * GAP) / across;
  const shown = moment?.row ?? scene.row;
  const cards = scenes.map((own) => card(own, Math.min(shown, own.rows.length - 1)));
  const about = "The same photo, captioned by each model.";
  return photoSheet(scene, flowing(cards, ROOM, GAP), measure, { room: ROOM, about });

  /** @param {PictureScene} own @param {number} row @returns {Piece} */
  function card(own, row) {
    const height = room / shownAspect(own.trace.picture);
    const panel = photoPanel(own, row, { width: room, height }, heat(row, own));
    const measures = measured(own).map(({ term, value }) => `${term} ${value}`);
    const soft = { fill: INK.soft, most: 2 };
    const pieces = [
      paragraph(shortName(own.model), { size: 12.5, bold: true }, room, measure, { most: 1 }),
      paragraph(said(own.output.text) || "(nothing)", { size: 15, serif: true }, room, measure),
      { width: room, height, marks: panel },
      paragraph(`at ${heading(own.rows[row]).text}`, SMALL, room, measure, soft),
      paragraph(measures.join(" · "), SMALL, room, measure, soft),
    ];
    return { ...stacked(pieces, 8), width: room };
  }
}
