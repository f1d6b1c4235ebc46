/** The audit of a caption as SVG: the verdict, the maps of the current word, and the figures. Pure. */

/** @import {PictureScene} from "../../core/types" */
/** @import {SvgHow} from "../types" */

import { shownAspect } from "../../core/photo_map.js";
import { at } from "../../draw/marks.js";
import { photoPanel, photoSheet } from "../../draw/paper/photo_sheet.js";
import { ROOM } from "../../draw/paper/sheet.js";
import { beside } from "../../draw/pieces.js";
import { label } from "../../draw/type.js";
import { cellsOf } from "./model.js";
import { aboutAudit, auditOn, report } from "./paper.js";

const GAP = 12;
const NAME = 16;

/** @param {PictureScene} scene @param {SvgHow} how */
export function draw(scene, { measure, companions, heat, moment }) {
  const audit = auditOn(companions);
  const { tokens } = scene.rows[moment?.current ?? scene.row];
  const { attention, lost, gained } = cellsOf(audit, tokens);
  const width = (ROOM - 2 * GAP) / 3;
  const size = { width, height: width / shownAspect(scene.trace.picture) };
  const panels = Object.entries({
    Attention: attention,
    "Lost without the cell": lost,
    "Likelier without it": gained,
  }).map(([name, cells]) => {
    const own = { ...scene, weights: [cells], row: 0, cells: [] };
    const photo = photoPanel(own, 0, size, heat(0, own));
    return {
      width,
      height: size.height + NAME,
      marks: [label(name, { size: 11 }, { x: 0, y: 11 }), at(0, NAME, photo)],
    };
  });
  return photoSheet(scene, report(audit, beside(panels, GAP), measure), measure, {
    room: ROOM,
    about: aboutAudit(audit),
  });
}
