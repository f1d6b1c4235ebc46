/** The photo with the attention of one patch, or of the class token, as SVG. Pure. */

/** @import {PatchScene} from "../../core/types" */
/** @import {SvgHow} from "../types" */

import { patchOf } from "../../core/grid.js";
import { INK } from "../../draw/ink.js";
import { stacked } from "../../draw/pieces.js";
import { photoPanel, photoSheet } from "../../draw/paper/photo_sheet.js";
import { square } from "../../draw/photo_marks.js";
import { paragraph } from "../../draw/type.js";
import { shownAspect } from "../../core/photo_map.js";

const MOST = { wide: 460, high: 520 };
const LEAST_ROOM = 300;

/** @param {PatchScene} shown @param {SvgHow} how */
export function draw(shown, { measure, heat, moment }) {
  const scene = moment?.current == null ? shown : { ...shown, row: moment.current };
  const aspect = shownAspect(scene.trace.picture);
  const width = Math.min(MOST.wide, MOST.high * aspect);
  const room = Math.max(width, LEAST_ROOM);
  const size = { width, height: width / aspect };
  const photo = photoPanel(scene, scene.row, size, heat(scene.row));
  const said = scene.kind.sentence(scene, scene.row);
  const caption = paragraph(said, { size: 11 }, room, measure, { fill: INK.soft, most: 4 });
  const body = stacked([{ ...size, marks: [...photo, ...query(scene, size)] }, caption], 10);
  return photoSheet(scene, body, measure, { room: Math.max(body.width, LEAST_ROOM), about: said });
}

/** The frame of the patch that looks. @param {PatchScene} scene @param {{width: number, height: number}} size */
function query(scene, size) {
  const patch = patchOf(scene.trace.source, scene.row);
  return patch === null ? [] : square(scene, patch, size, { over: "#7fe3ea" });
}
