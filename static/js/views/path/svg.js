/** The path of glimpses as SVG, up to one of them where it is a frame of an animation. Pure. */

/** @import {Alternative, GlimpseScene} from "../../core/types" */
/** @import {Mark} from "../../draw/marks.js" */
/** @import {SvgHow} from "../types" */

import { inOrder } from "../../core/kinds/glimpses.js";
import { percent } from "../../core/text.js";
import { INK, PAPER } from "../../draw/ink.js";
import { at, mark, rect } from "../../draw/marks.js";
import { stacked } from "../../draw/pieces.js";
import { ROOM, sheet } from "../../draw/paper/sheet.js";
import { cells } from "../../draw/raster.js";
import { label, paragraph } from "../../draw/type.js";
import { pathMarks } from "./marks.js";
import { patchName, patchRaster, pathShapes } from "./model.js";

/** Sides of the picture and of a patch, the length of the longest bar, and the gap between them. */
const SIDE = 300;
export const PATCH = 84;
const BAR = 96;
const GAP = 16;
export const LINE = 19;
const SMALL = { size: 9.5 };
const FACE = { size: 10.5 };

/** @param {GlimpseScene} scene @param {SvgHow} how */
export function draw(scene, { measure, moment }) {
  const row = moment?.current ?? (moment ? moment.row : scene.row);
  const said = scene.kind.sentence(scene, row);
  const drawing = {
    width: ROOM,
    height: SIDE,
    marks: [
      pathOf(scene, row),
      at(SIDE + GAP, 0, patchesOf(scene, row)),
      at(
        SIDE + 2 * GAP + 130,
        0,
        beliefOf(inOrder(scene.trace.steps[row]), Number(scene.trace.text)),
      ),
    ],
  };
  const sentence = paragraph(said, FACE, ROOM, measure, { fill: INK.soft, most: 2 });
  const body = stacked([drawing, { ...sentence, height: 2 * LINE }], 10);
  return sheet(scene, body, measure, { sentences: "none", about: said });
}

/** @param {GlimpseScene} scene @param {number} row @returns {Mark} */
function pathOf({ trace }, row) {
  const { left, top, width, height } = pathShapes(trace).frame;
  const viewBox = `${left} ${top} ${width} ${height}`;
  return mark("svg", { width: SIDE, height: SIDE, viewBox }, pathMarks(trace, { row, look: INK }));
}

/** The patches that a glimpse saw, one below or beside the other. @param {GlimpseScene} scene @param {number} row @param {boolean} [down] */
export const patchesOf = ({ trace: { steps, target } }, row, down = true) =>
  (steps[row]?.seen ?? []).map((rows, scale) => {
    const side = PATCH / rows.length;
    const name = patchName(target.glimpses[row], scale, rows.length);
    const captions = (down ? [name] : name.split(", ")).map((text, index) =>
      label(text, SMALL, { x: 0, y: PATCH + 11 * (index + 1), fill: INK.soft }),
    );
    const place = scale * (PATCH + GAP);
    return at(down ? 0 : place, down ? place : 0, [
      cells(patchRaster(rows, PAPER), { x: 0, y: 0, width: side, height: side }),
      rect(0, 0, PATCH, PATCH, { fill: "none", stroke: INK.edge }),
      ...captions,
    ]);
  });

/** The belief after a glimpse. @param {Alternative[]} digits @param {number} read the digit that is the answer */
export const beliefOf = (digits, read) =>
  digits.flatMap(({ id, text: name, probability }, index) => {
    const y = index * LINE;
    return [
      label(name, { ...FACE, bold: id === read }, { x: 0, y: y + 12 }),
      rect(14, y + 3, Math.max(0.5, BAR * probability), 11, { fill: INK.accent }),
      label(percent(probability), SMALL, { x: 18 + BAR * probability, y: y + 12, fill: INK.soft }),
    ];
  });
