/** The positional embeddings as SVG: all as small squares, and the chosen one large. Pure. */

/** @import {PatchScene} from "../../core/types" */
/** @import {SvgHow} from "../types" */

import { divergent } from "../../core/colours.js";
import { tokenName } from "../../core/patch_scene.js";
import { INK, PAPER } from "../../draw/paper/ink.js";
import { at, rect, stacked } from "../../draw/paper/markup.js";
import { photoSheet } from "../../draw/paper/photo_sheet.js";
import { paragraph } from "../../draw/paper/type.js";
import { likenessOf, overview } from "./model.js";

const SIDE = 460;
const LARGE = 196;

/** @param {PatchScene} scene @param {SvgHow} how */
export function draw(scene, { measure }) {
  const { size, colourAt } = overview(scene, PAPER);
  const all = cellsOf(size, SIDE, colourAt);
  const { source } = scene.trace;
  const likeness = likenessOf(scene, scene.row);
  const one = cellsOf(source, LARGE, (y, x) => divergent(PAPER, likeness[y * source.columns + x]));
  const said = `Cosine between the positional embeddings of the patches; below, that to the ${tokenName(source, scene.row)}.`;
  const caption = paragraph(said, { size: 11 }, SIDE, measure, { fill: INK.soft });
  const body = stacked([caption, all, one], 12);
  return photoSheet(scene, body, measure, { room: SIDE, about: said });
}

/** @param {{rows: number, columns: number}} size @param {number} side @param {(row: number, column: number) => string} colourAt */
function cellsOf({ rows, columns }, side, colourAt) {
  const [wide, high] = [side / columns, side / rows];
  const cells = Array.from({ length: rows * columns }, (_, cell) => {
    const [row, column] = [Math.floor(cell / columns), cell % columns];
    return rect(column * wide, row * high, wide, high, colourAt(row, column));
  });
  return { width: side, height: side, marks: at(0, 0, cells.join("")) };
}
