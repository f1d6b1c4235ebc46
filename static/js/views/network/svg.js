/** The network of a model as SVG. Pure. */

/** @import {PictureScene, Scene} from "../../core/types" */
/** @import {SvgHow} from "../types" */

import { INK } from "../../draw/ink.js";
import { photoSheet } from "../../draw/paper/photo_sheet.js";
import { ROOM, TURNED, sheet } from "../../draw/paper/sheet.js";
import { sheetPhoto } from "../../draw/photo_marks.js";
import { drawNetwork } from "./draw.js";
import { networkOf } from "./model.js";
import { sentenceOf } from "./numbers.js";

/** Texts of more tokens take the width of a landscape page. */
const MOST_TOKENS = 12;

/** @param {Scene | PictureScene} scene @param {SvgHow} how */
export function draw(scene, { measure, moment, model }) {
  const row = moment?.row ?? scene.row;
  const network = networkOf(scene, row, /** @type {any} */ (model).stepOf(scene, row));
  const text = network.seen === null;
  const long = Math.max(network.source.length, network.target.length) > MOST_TOKENS;
  const playing = moment !== null && moment.current !== null;
  const { width, height, marks } = drawNetwork(network, {
    room: text && long ? TURNED : ROOM,
    measure,
    look: INK,
    part: scene.parts > 1 ? (moment?.part ?? scene.part) : Infinity,
    playing,
    photo: sheetPhoto,
  });
  const piece = { width, height, marks };
  const about = sentenceOf(network);
  if ("view" in scene)
    return sheet(scene, piece, measure, { sentences: "both", about, until: moment?.row });
  return photoSheet(scene, piece, measure, {
    room: Math.max(width, ROOM),
    about,
    until: playing ? scene.rows[row].end : Infinity,
  });
}
