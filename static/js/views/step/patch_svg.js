/** The step of one token of a Vision Transformer as SVG, up to the part that is shown. Pure. */

/** @import {PatchScene} from "../../core/types" */
/** @import {SvgHow} from "../types" */

import { patchSentence } from "../../core/patch_scene.js";
import { photoSheet } from "../../draw/paper/photo_sheet.js";
import { ROOM } from "../../draw/paper/sheet.js";
import { patchChain } from "./patch_step.js";
import { chainDrawing } from "./svg.js";

/** @param {PatchScene} scene @param {SvgHow} how */
export function draw(scene, { measure, moment }) {
  const says = (/** @type {number} */ row) => patchSentence(scene, row);
  const chainAt = (/** @type {number} */ row) => patchChain(scene, row);
  const body = chainDrawing(scene, { chainAt, says }, measure, moment);
  const about = says(moment?.row ?? scene.row);
  return photoSheet(scene, body, measure, { room: Math.max(body.width, ROOM), about });
}
