/** One glimpse as SVG, up to the part that is shown. Pure. */

/** @import {GlimpseScene} from "../../core/types" */
/** @import {Piece} from "../../draw/marks.js" */
/** @import {Measure} from "../../draw/type.js" */
/** @import {SvgHow} from "../types" */
/** @import {GlimpsePart} from "../../core/step_parts.js" */

import { inOrder } from "../../core/kinds/glimpses.js";
import { stacked } from "../../draw/pieces.js";
import { sheet } from "../../draw/paper/sheet.js";
import { paragraph } from "../../draw/type.js";
import { INK } from "../../draw/ink.js";
import { vectorDrawing } from "../../draw/paper/vector.js";
import { LINE, PATCH, beliefOf, patchesOf } from "../path/svg.js";
import { glimpseText, glimpseVector } from "./glimpse_parts.js";
import { GLIMPSE_PARTS } from "../../core/step_parts.js";
import { SIDE, framed, twoSides } from "./svg.js";

/** The parts of the left side; the others are on the right. */
const LEFT = 3;

/** @param {GlimpseScene} scene @param {SvgHow} how */
export function draw(scene, { measure, moment }) {
  const row = moment?.row ?? scene.row;
  const part = moment?.part ?? scene.part;
  const parts = GLIMPSE_PARTS.map((name, place) => {
    const { title, says, formula } = glimpseText(name, scene, row);
    const note = paragraph(says, { size: 10.5 }, SIDE, measure, { fill: INK.soft, most: 5 });
    const own = bodyOf(name, scene, row, measure);
    const body = stacked(own ? [note, own] : [note], 8);
    return framed({ place, title, symbols: formula, there: place <= part, body }, SIDE, measure);
  });
  const said = scene.kind.sentence(scene, row);
  const body = twoSides(said, parts, LEFT, measure);
  return sheet(scene, body, measure, { sentences: "none", about: said });
}

/** @param {GlimpsePart} name @param {GlimpseScene} scene @param {number} row @param {Measure} measure @returns {Piece | null} */
function bodyOf(name, scene, row, measure) {
  const step = scene.trace.steps[row];
  if (name === "sensor")
    return { width: SIDE, height: PATCH + 26, marks: patchesOf(scene, row, false) };
  if (name === "belief")
    return { width: SIDE, height: inOrder(step).length * LINE, marks: beliefOf(scene, row) };
  const shown = glimpseVector(name, step, row);
  return shown && vectorDrawing(shown.symbol, shown.meaning, shown.value, { room: SIDE }, measure);
}
