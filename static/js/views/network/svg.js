/** The network of a model that reads a text, as SVG. Pure. */

/** @import {Scene} from "../../core/types" */
/** @import {SvgHow} from "../types" */

import { INK } from "../../draw/ink.js";
import { ROOM, TURNED, sheet } from "../../draw/paper/sheet.js";
import { drawNetwork } from "./draw.js";
import { networkOf } from "./model.js";
import { sentenceOf } from "./numbers.js";

/** Texts of more tokens take the width of a landscape page. */
const MOST_TOKENS = 12;

/** @param {Scene} scene @param {SvgHow} how */
export function draw(scene, { measure, moment }) {
  const row = moment?.row ?? scene.row;
  const network = networkOf(scene, row);
  const long = Math.max(network.source.length, network.target.length) > MOST_TOKENS;
  const { width, height, marks } = drawNetwork(network, {
    room: long ? TURNED : ROOM,
    measure,
    look: INK,
    part: scene.parts > 1 ? (moment?.part ?? scene.part) : Infinity,
    playing: moment !== null && moment.current !== null,
  });
  return sheet(scene, { width, height, marks }, measure, {
    sentences: "both",
    about: sentenceOf(network),
    until: moment?.row,
  });
}
