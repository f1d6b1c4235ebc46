/** All heads of all layers as SVG. They share their axes, so one set of words serves a line of them. Pure. */

/** @import {AttentionMap, Item, Scene} from "../../core/types" */
/** @import {Moment} from "../../export/gif/frames.js" */
/** @import {Piece} from "../../draw/marks.js" */
/** @import {SvgHow} from "../types" */
/** @import {Measure} from "../../draw/type.js" */

import { heatmapOf } from "../../core/heatmap.js";
import { direction } from "../../core/text.js";
import { viewOf } from "../../core/trace.js";
import { bar } from "../../draw/scale.js";
import { INK, paletteOf } from "../../draw/ink.js";
import { at, rect } from "../../draw/marks.js";
import { beside, stacked } from "../../draw/pieces.js";
import { cells, rasterOf } from "../../draw/raster.js";
import { ROOM, sheet, withoutAttention } from "../../draw/paper/sheet.js";
import { headed, label } from "../../draw/type.js";
import { meanEntropy } from "./model.js";
import { reducedOf } from "./thumbnails.js";

/** Heads in a line and the gap between them; with more heads than `many`, a layer is one line. */
const FEW = { line: 4, gap: 16 };
const MANY = { line: 16, gap: 6, many: 24 };
const CELL = { least: 2, most: 16 };
/** Minimum height of a cell with a word beside it. */
const READABLE = 7;
const LONGEST = 84;

/** @param {Scene} scene @param {SvgHow} how */
export function draw(scene, { measure, moment }) {
  if (!scene.view.weights) return withoutAttention(scene, measure, moment);
  return sheet(scene, drawing(scene, measure, moment), measure, {
    sentences: "both",
    about: "Every head of every layer.",
    until: moment?.row,
    allHeads: true,
  });
}

/** @param {Scene} scene @param {Measure} measure @param {Moment | null} moment @returns {Piece} */
function drawing(scene, measure, moment) {
  const { output, picked, layers } = scene;
  const maps = output.maps.filter(({ kind }) => kind === picked?.kind);
  const dense = maps.length > MANY.many;
  const { line: longest, gap } = dense ? MANY : FEW;
  const most = Math.min(
    longest,
    Math.max(...layers.map((layer) => maps.filter((map) => map.layer === layer).length)),
  );
  const view = shownOf(scene, maps[0]);
  const full = (ROOM - (most - 1) * gap) / most;
  const named = namesOf(
    view.reduced ? [] : view.rows,
    Math.min(CELL.most, (ROOM - LONGEST - (most - 1) * gap) / most / view.columns.length),
    measure,
  );
  const left = named ? named.width + 6 : 0;
  const wide = named ? (ROOM - left - (most - 1) * gap) / most : full;
  const cell = Math.max(CELL.least, Math.min(CELL.most, wide / view.columns.length));
  const drawn = layers.map((layer) => {
    const heads = maps.filter((map) => map.layer === layer).sort((a, b) => a.head - b.head);
    const lines = Array.from({ length: Math.ceil(heads.length / most) }, (_, i) =>
      heads.slice(i * most, (i + 1) * most),
    );
    const title = label(`Layer ${layer + 1}`, { size: 12, bold: true }, { x: 0, y: 11 });
    const placed = lines.map((each) => {
      const pieces = each.map((map) => small(scene, map, { cell, dense }, moment, measure));
      const row = beside(pieces, gap);
      const names = at(0, HEAD, named?.marks(cell, moment) ?? []);
      return { ...row, width: left + row.width, marks: [names, at(left, 0, row.marks)] };
    });
    return stacked([{ width: 0, height: 14, marks: [title] }, stacked(placed, 12)], 6);
  });
  const top = scene.scale === "row" ? "largest of each row" : "largest of each head";
  const scale = bar(
    scene.log ? "α, log" : "α\u2002 0",
    top,
    heatmapOf([], { ...scene, palette: paletteOf(scene) }).colourOf,
    measure,
  );
  return stacked([...drawn, scale], 18);
}

/** A map in the units of the scene; a reduced one, of a trace that came without its maps, as it is. @param {Scene} scene @param {AttentionMap} map */
function shownOf(scene, map) {
  const view = viewOf(scene.trace, scene.output, map, scene.units);
  const reduced = reducedOf(map);
  if (!reduced) return { ...view, reduced: false };
  const columns = view.columns.slice(0, reduced[0]?.length ?? 0);
  return { ...view, columns, weights: reduced, reduced: true };
}

/** Height of the line above a small map, with its name. */
const HEAD = 16;

/** @param {Scene} scene @param {AttentionMap} map @param {{cell: number, dense: boolean}} size @param {Moment | null} moment @param {Measure} measure @returns {Piece} */
function small(scene, map, { cell, dense }, moment, measure) {
  const view = shownOf(scene, map);
  const weights = view.weights ?? [];
  const until = view.reduced ? Infinity : (moment?.row ?? Infinity);
  const heat = heatmapOf(weights, { ...scene, palette: paletteOf(scene) });
  const rtl = direction(view.columnText) === "rtl";
  const bits = meanEntropy(map.weights);
  const [width, height] = [cell * view.columns.length, cell * weights.length];
  const name = `Head ${map.head + 1}`;
  const title = label(name, { size: 10.5 }, { x: 0, y: 10 });
  const entropyText = view.reduced ? "" : `${bits.toFixed(1)} bits`;
  const after = measure(name, { size: 10.5 }) + 8;
  const noted = after + measure(entropyText, { size: 10.5 }) <= Math.max(width, dense ? 0 : 100);
  const note = label(entropyText, { size: 10.5 }, { x: after, y: 10, fill: INK.soft });
  const raster = rasterOf({ ...heat, positions: heat.positions.slice(0, until + 1) }, rtl);
  const current = view.reduced ? null : (moment?.current ?? null);
  const lit = (/** @type {number} */ row) =>
    rect(-0.5, row * cell - 0.5, width + 1, cell + 1, {
      fill: "none",
      stroke: INK.accent,
      "stroke-width": 1.25,
    });
  const drawn = [
    cells(raster, { x: 0, y: 0, width: cell, height: cell }),
    rect(0, 0, width, height, { fill: "none", stroke: INK.line }),
    current === null ? null : lit(current),
  ];
  return {
    width,
    height: HEAD + height,
    marks: [title, ...(noted ? [note] : []), at(0, HEAD, drawn)],
  };
}

/** The words beside a line of maps, where they can be read. @param {Item[]} rows @param {number} cell @param {Measure} measure */
function namesOf(rows, cell, measure) {
  if (cell < READABLE || !rows.length) return null;
  const size = Math.min(10.5, cell * 0.82);
  const labels = rows.map((item) => headed(item, size, LONGEST - 8, measure));
  const width = Math.ceil(Math.max(...labels.map((each) => each.width)));
  const marks = (/** @type {number} */ high, /** @type {Moment | null} */ moment) =>
    labels.slice(0, (moment?.row ?? Infinity) + 1).map(({ text, face, fill }, row) =>
      label(text, face, {
        x: width,
        y: (row + 0.5) * high + face.size * 0.35,
        anchor: "end",
        fill: row === moment?.current ? INK.accent : fill,
      }),
    );
  return { width, marks };
}
