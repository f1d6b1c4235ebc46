/** The network of a model that reads a picture, as SVG. Pure. */

/** @import {PictureScene} from "../../core/types" */
/** @import {SvgHow} from "../types" */

import { INK } from "../../draw/ink.js";
import { photoSheet } from "../../draw/paper/photo_sheet.js";
import { ROOM } from "../../draw/paper/sheet.js";
import { drawNetwork } from "./draw.js";
import { pictureNetworkOf } from "./model.js";
import { sentenceOf } from "./numbers.js";
import { sheetPhoto } from "./photo.js";

/** @param {PictureScene} scene @param {SvgHow} how */
export function draw(scene, { measure, moment }) {
  const row = moment?.row ?? scene.row;
  const network = pictureNetworkOf(scene, row);
  const { width, height, marks } = drawNetwork(network, {
    room: ROOM,
    measure,
    look: INK,
    part: scene.parts > 1 ? (moment?.part ?? scene.part) : Infinity,
    playing: moment !== null && moment.current !== null,
    photo: sheetPhoto,
  });
  return photoSheet(scene, { width, height, marks }, measure, {
    room: Math.max(width, ROOM),
    about: sentenceOf(network),
    until: moment && moment.current !== null ? scene.rows[moment.row].end : Infinity,
  });
}
