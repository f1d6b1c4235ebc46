/** The map on paper, growing row by row where it is asked to. Pure. */

/** @import {Scene} from "../../core/types" */
/** @import {Moment} from "../../export/gif/frames.js" */
/** @import {Piece} from "../../export/svg/markup.js" */
/** @import {Measure} from "../../export/svg/type.js" */

import { colour } from "../../core/colours.js";
import { positions } from "../../core/heatmap.js";
import { sumsOfColumns, sumsOfRows } from "../../core/selection.js";
import { lineNames } from "../../core/sentences.js";
import { weightBar } from "../../export/svg/bar.js";
import { heat } from "../../export/svg/heatmap.js";
import { INK, PAPER } from "../../export/svg/ink.js";
import { stacked } from "../../export/svg/markup.js";
import { ROOM } from "../../export/svg/sheet.js";
import { line } from "../../export/svg/type.js";

/** Room for the sums of what is held, at the side. */
const SUMS = 34;

/** @param {Scene} scene @param {number[][]} weights @param {Measure} measure @param {Moment | null} moment @returns {Piece} */
export function mapOnPaper(scene, weights, measure, moment) {
  const shades = positions(weights, scene.scale, scene.log);
  const shade = (/** @type {number} */ row, /** @type {number} */ column) => colour(PAPER, shades[row][column]);
  const room = scene.held.columns.length ? ROOM - SUMS : ROOM;
  const map = heat(scene.view, { room, shade, names: lineNames(scene), until: moment?.row, current: moment?.current, held: scene.held }, measure);
  return stacked([withSums(map, scene, weights, moment?.row ?? Infinity), weightBar(weights, scene.scale, scene.log, measure)], 12);
}

/** What is held, and its sums: at the side those of the rows, below those of the columns. @param {ReturnType<typeof heat>} map @param {Scene} scene @param {number[][]} weights @param {number} until @returns {Piece} */
function withSums(map, { held }, weights, until) {
  const size = Math.min(10.5, map.cell.height * 0.72);
  const side = held.columns.length ? sumsOfRows(weights, held.columns) : [];
  const below = held.rows.length ? sumsOfColumns(weights, held.rows) : [];
  const upright = map.cell.width < 26;
  const rows = side.map((sum, row) => (row > until ? "" : line(sum.toFixed(2), { size }, { x: map.right + 7, y: map.y(row) + map.cell.height / 2 + size * 0.35, fill: INK.soft })));
  const columns = below.map((sum, column) => {
    const middle = map.x(column) + map.cell.width / 2;
    const face = { size: upright ? Math.min(10.5, map.cell.width * 0.85) : 10.5 };
    if (!upright) return line(sum.toFixed(2), face, { x: middle, y: map.bottom + 14, anchor: "middle", fill: INK.soft });
    return line(sum.toFixed(2), face, { x: middle - face.size * 0.35, y: map.bottom + 5, fill: INK.soft, turn: 90 });
  });
  const [wide, tall] = [side.length ? map.right + SUMS : 0, below.length ? map.bottom + (upright ? 28 : 18) : 0];
  return { width: Math.max(map.width, wide), height: Math.max(map.height, tall), marks: [map.marks, ...rows, ...columns].join("") };
}
