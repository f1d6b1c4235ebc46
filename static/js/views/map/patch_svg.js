/** The map of all patches to each other as SVG, with the rows of the photo at its sides. Pure. */

/** @import {PatchScene} from "../../core/types" */
/** @import {SvgHow} from "../types" */

import { heatmapOf } from "../../core/heatmap.js";
import { weightBar } from "../../draw/scale.js";
import { INK, paletteOf } from "../../draw/ink.js";
import { at, mark, number, rect } from "../../draw/marks.js";
import { stacked } from "../../draw/pieces.js";
import { photoSheet } from "../../draw/paper/photo_sheet.js";
import { cells, rasterOf } from "../../draw/raster.js";
import { label, paragraph } from "../../draw/type.js";

const SIDE = 540;
const LEFT = 30;
const TOP = 34;
const FACE = { size: 9.5 };
const SAYS =
  "Each row is a token that looks, each column one that it looks at: the class token, then the patches, row by row of the photo. The numbers at the sides are these rows.";

/** @param {PatchScene} scene @param {SvgHow} how */
export function draw(scene, { measure }) {
  const weights = scene.view.weights ?? [];
  const note = paragraph(SAYS, { size: 11 }, LEFT + SIDE, measure, { fill: INK.soft });
  const scale = weightBar(weights, scene.scale, scene.log, measure, paletteOf(scene));
  const body = stacked([note, mapOf(scene, weights), scale], 12);
  return photoSheet(scene, body, measure, { room: LEFT + SIDE, about: SAYS });
}

/** @param {PatchScene} scene @param {number[][]} weights */
function mapOf(scene, weights) {
  const { source } = scene.trace;
  const heat = heatmapOf(weights, { ...scene, palette: paletteOf(scene) });
  const cell = SIDE / weights.length;
  const marks = source.marks?.length ?? 0;
  const bands = Array.from({ length: source.rows }, (_, row) => ({
    name: String(row + 1),
    at: (marks + row * source.columns) * cell,
    middle: (marks + (row + 0.5) * source.columns) * cell,
  }));
  const names = bands.flatMap(({ name, middle }) => [
    label(name, FACE, { x: middle, y: -6, anchor: "middle", fill: INK.soft }),
    label(name, FACE, { x: -6, y: middle + 3.3, anchor: "end", fill: INK.soft }),
  ]);
  const sides = [
    label("looked at, by row of the photo →", FACE, { x: 0, y: -20, fill: INK.soft }),
    label("looks ↓", FACE, { x: -LEFT, y: -6, fill: INK.soft }),
  ];
  const grid = bands
    .map(({ at: place }) => `M${number(place)} 0v${SIDE}M0 ${number(place)}h${SIDE}`)
    .join("");
  const inner = [
    cells(rasterOf(heat), { x: 0, y: 0, width: cell, height: cell }),
    mark("path", { d: grid, fill: "none", stroke: INK.line, "stroke-width": 0.5 }),
    rect(0, 0, SIDE, SIDE, { fill: "none", stroke: INK.edge }),
    ...names,
    ...sides,
  ];
  return { width: LEFT + SIDE, height: TOP + SIDE, marks: [at(LEFT, TOP, inner)] };
}
