/** The map on paper, growing row by row where it is asked to. Pure. */

/** @import {Scene} from "../types" */
/** @import {Moment} from "./frames.js" */
/** @import {Piece} from "./markup.js" */
/** @import {Measure} from "./type.js" */

import { colour } from "../colours.js";
import { positions } from "../figures.js";
import { lineNames } from "../sentences.js";
import { weightBar } from "./bar.js";
import { heat } from "./heat.js";
import { PAPER } from "./ink.js";
import { stacked } from "./markup.js";
import { ROOM } from "./sheet.js";

/** @param {Scene} scene @param {number[][]} weights @param {Measure} measure @param {Moment | null} moment @returns {Piece} */
export function mapOnPaper(scene, weights, measure, moment) {
  const shades = positions(weights, scene.scale, scene.log);
  const shade = (/** @type {number} */ row, /** @type {number} */ column) => colour(PAPER, shades[row][column]);
  const map = heat(scene.view, { room: ROOM, shade, names: lineNames(scene), until: moment?.row, current: moment?.current }, measure);
  return stacked([map, weightBar(weights, scene.scale, scene.log, measure)], 12);
}
