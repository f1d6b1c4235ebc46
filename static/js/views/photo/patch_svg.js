/** The photo with the attention of one patch, or of the class token, as SVG. Pure. */

/** @import {PatchScene} from "../../core/types" */
/** @import {SvgHow} from "../types" */

import { cellRectangle } from "../../core/grid.js";
import { patchOf, patchSentence } from "../../core/patch_scene.js";
import { INK } from "../../draw/paper/ink.js";
import { stacked, tag } from "../../draw/paper/markup.js";
import { photoPanel, photoSheet } from "../../draw/paper/photo_sheet.js";
import { paragraph } from "../../draw/paper/type.js";
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
  const said = patchSentence(scene, scene.row);
  const caption = paragraph(said, { size: 11 }, room, measure, { fill: INK.soft, most: 4 });
  const body = stacked([{ ...size, marks: photo + query(scene, size) }, caption], 10);
  return photoSheet(scene, body, measure, { room: Math.max(body.width, LEAST_ROOM), about: said });
}

/** The frame of the patch that looks. @param {PatchScene} scene @param {{width: number, height: number}} size */
function query({ trace: { source, picture }, row }, size) {
  const patch = patchOf(source, row);
  if (patch === null) return "";
  const { left, top, width, height } = cellRectangle(source, patch, picture);
  const place = {
    x: left * size.width,
    y: top * size.height,
    width: width * size.width,
    height: height * size.height,
    fill: "none",
  };
  return (
    tag("rect", { ...place, stroke: "#000000", "stroke-width": 3 }) +
    tag("rect", { ...place, stroke: "#7fe3ea", "stroke-width": 1.5 })
  );
}
