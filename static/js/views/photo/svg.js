/** The photo with the map of one word as SVG. Pure. */

/** @import {PictureScene} from "../../core/types" */
/** @import {SvgHow} from "../types" */

import { INK } from "../../draw/ink.js";
import { stacked } from "../../draw/pieces.js";
import { photoPanel, photoSheet } from "../../draw/paper/photo_sheet.js";
import { paragraph } from "../../draw/type.js";
import { shownAspect } from "../../core/photo_map.js";

const MOST = { wide: 460, high: 520 };
const LEAST_ROOM = 300;

/** @param {PictureScene} shown @param {SvgHow} how */
export function draw(shown, { measure, heat, moment }) {
  const current = moment?.current ?? null;
  const scene = current === null ? shown : { ...shown, row: current };
  const aspect = shownAspect(scene.trace.picture);
  const width = Math.min(MOST.wide, MOST.high * aspect);
  const room = Math.max(width, LEAST_ROOM);
  const size = { width, height: width / aspect };
  const picture = { ...size, marks: photoPanel(scene, scene.row, size, heat(scene.row)) };
  const caption = (/** @type {number} */ row) =>
    paragraph(scene.kind.sentence(scene, row), { size: 11 }, room, measure, {
      fill: INK.soft,
      most: 4,
    });
  // The frames of an animation have one size.
  const tallest = moment && Math.max(...scene.rows.map((_, row) => caption(row).height));
  const body = stacked(
    [picture, { ...caption(scene.row), ...(tallest && { height: tallest }) }],
    10,
  );
  const until = moment && current !== null ? scene.rows[moment.row].end : Infinity;
  return photoSheet(scene, body, measure, {
    room: Math.max(body.width, LEAST_ROOM),
    about: scene.kind.sentence(scene, scene.row),
    until,
  });
}
