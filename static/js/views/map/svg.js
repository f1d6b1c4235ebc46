/** The map as SVG, up to a row where it is a frame of an animation. Pure. */

/** @import {MapScene} from "../../core/types" */
/** @import {Moment} from "../../export/gif/frames.js" */
/** @import {Piece} from "../../draw/marks.js" */
/** @import {SvgHow} from "../types" */
/** @import {Measure} from "../../draw/type.js" */

import { cellNumbers } from "../../core/cell_numbers.js";
import { heatmapOf } from "../../core/heatmap.js";
import { sumsOfColumns, sumsOfRows } from "../../core/selection.js";
import { weightBar } from "../../draw/scale.js";
import { heatmap } from "../../draw/paper/heatmap.js";
import { INK, paletteOf } from "../../draw/ink.js";
import { stacked } from "../../draw/pieces.js";
import { ROOM, sheet, withoutAttention } from "../../draw/paper/sheet.js";
import { label } from "../../draw/type.js";

/** Room for the sums of the selection, at the side. */
const SUMS = 34;

/** @param {MapScene} scene @param {SvgHow} how */
export function draw(scene, { measure, moment }) {
  const { weights } = scene.view;
  if (!weights) return withoutAttention(scene, measure, moment);
  return sheet(scene, drawing(scene, weights, measure, moment), measure, {
    sentences: "both",
    about: scene.kind.mapNote(scene),
    until: moment?.row,
  });
}

/** @param {MapScene} scene @param {number[][]} weights @param {Measure} measure @param {Moment | null} moment @returns {Piece} */
function drawing(scene, weights, measure, moment) {
  const palette = paletteOf(scene);
  const { colourAt: shade } = heatmapOf(weights, { ...scene, palette });
  const until = moment?.row ?? Infinity;
  const all = scene.paper?.numbers === false ? [] : cellNumbers(weights, { ...scene, palette });
  const numbers = all.filter(({ row }) => row <= until);
  const room = scene.selection.columns.length ? ROOM - SUMS : ROOM;
  const map = heatmap(
    scene.view,
    {
      room,
      shade,
      numbers,
      names: scene.kind.lines(scene),
      until: moment?.row,
      current: moment?.current,
      selected: scene.selection,
    },
    measure,
  );
  return stacked(
    [
      withSums(map, scene, weights, moment?.row ?? Infinity),
      weightBar(weights, scene.scale, scene.log, measure, palette),
    ],
    12,
  );
}

/** The map with the sums of its selection: at the side those of the rows, below those of the columns. @param {ReturnType<typeof heatmap>} map @param {MapScene} scene @param {number[][]} weights @param {number} until @returns {Piece} */
function withSums(map, { selection }, weights, until) {
  const size = Math.min(10.5, map.cell.height * 0.72);
  const side = selection.columns.length ? sumsOfRows(weights, selection.columns) : [];
  const below = selection.rows.length ? sumsOfColumns(weights, selection.rows) : [];
  const upright = map.cell.width < 26;
  const rows = side
    .slice(0, until + 1)
    .map((sum, row) =>
      label(
        sum.toFixed(2),
        { size },
        { x: map.right + 7, y: map.y(row) + map.cell.height / 2 + size * 0.35, fill: INK.soft },
      ),
    );
  const columns = below.map((sum, column) => {
    const middle = map.x(column) + map.cell.width / 2;
    const face = { size: upright ? Math.min(10.5, map.cell.width * 0.85) : 10.5 };
    if (!upright)
      return label(sum.toFixed(2), face, {
        x: middle,
        y: map.bottom + 14,
        anchor: "middle",
        fill: INK.soft,
      });
    return label(sum.toFixed(2), face, {
      x: middle - face.size * 0.35,
      y: map.bottom + 5,
      fill: INK.soft,
      turn: 90,
    });
  });
  const [wide, tall] = [
    side.length ? map.right + SUMS : 0,
    below.length ? map.bottom + (upright ? 28 : 18) : 0,
  ];
  return {
    width: Math.max(map.width, wide),
    height: Math.max(map.height, tall),
    marks: [...map.marks, ...rows, ...columns],
  };
}
