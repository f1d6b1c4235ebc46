/** A graph as SVG. Pure. */

/** @import {GraphScene} from "../../core/types" */
/** @import {SvgHow} from "../types" */

import { graphNote } from "../../core/view_notes.js";
import { INK } from "../../draw/ink.js";
import { stacked } from "../../draw/pieces.js";
import { ROOM, sheet } from "../../draw/paper/sheet.js";
import { paragraph } from "../../draw/type.js";
import { graphMarks } from "./marks.js";
import { drawingOf } from "./model.js";

const HEIGHT = 460;

/** @param {GraphScene} scene @param {SvgHow} how */
export function draw(scene, { measure, moment }) {
  const row = moment?.row ?? scene.row;
  const said = paragraph(scene.kind.sentence(scene, row), { size: 13 }, ROOM, measure, { most: 3 });
  const drawing = drawingOf(scene, ROOM, HEIGHT);
  const graph = { ...drawing, marks: graphMarks(scene, drawing, { row, look: INK }) };
  const about = graphNote({ ...scene, row });
  return sheet(scene, stacked([said, graph], 14), measure, { sentences: "both", about });
}
