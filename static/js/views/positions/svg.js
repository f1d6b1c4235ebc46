/** The positional embeddings as SVG: all as small squares, and the chosen one large. Pure. */

/** @import {PatchScene} from "../../core/types" */
/** @import {SvgHow} from "../types" */

import { tokenName } from "../../core/grid.js";
import { INK, paletteOf } from "../../draw/ink.js";
import { stacked } from "../../draw/pieces.js";
import { photoSheet } from "../../draw/paper/photo_sheet.js";
import { cells } from "../../draw/raster.js";
import { paragraph } from "../../draw/type.js";
import { likenessRaster, overview } from "./model.js";

const SIDE = 460;
const LARGE = 196;

/** @param {PatchScene} scene @param {SvgHow} how */
export function draw(scene, { measure }) {
  const all = squares(SIDE, overview(scene, paletteOf(scene)));
  const { source } = scene.trace;
  const one = squares(LARGE, likenessRaster(scene, scene.row, paletteOf(scene)));
  const said = `Cosine between the positional embeddings of the patches; below, that to the ${tokenName(source, scene.row)}.`;
  const caption = paragraph(said, { size: 11 }, SIDE, measure, { fill: INK.soft });
  const body = stacked([caption, all, one], 12);
  return photoSheet(scene, body, measure, { room: SIDE, about: said });
}

/** @param {number} side @param {import("../../draw/raster.js").Raster} raster */
function squares(side, raster) {
  const cell = { x: 0, y: 0, width: side / raster.columns, height: side / raster.rows };
  return { width: side, height: side, marks: [cells(raster, cell)] };
}
