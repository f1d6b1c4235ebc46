/** The lines on paper: the same ribbons as on the page. Pure. */

/** @import {Scene} from "../../core/types" */
/** @import {Place} from "./model.js" */
/** @import {Moment} from "../../export/gif/frames.js" */
/** @import {Piece} from "../../export/svg/markup.js" */
/** @import {Measure} from "../../export/svg/type.js" */

import { lines } from "./model.js";
import { INK } from "../../export/svg/ink.js";
import { tag } from "../../export/svg/markup.js";
import { ROOM } from "../../export/svg/sheet.js";
import { line } from "../../export/svg/type.js";

/** Of a page that is turned, which long sentences may be laid across. */
const TURNED = 900;
const SIZE = 16;

/** @param {Scene} scene @param {Measure} measure @param {Moment | null} moment @returns {Piece} */
export function linesOnPaper(scene, measure, moment) {
  const how = { mass: scene.mass, measure: (/** @type {string} */ text) => measure(text, { size: SIZE }) };
  const upright = lines(scene.view, { ...how, room: ROOM });
  const turned = upright.across ? upright : lines(scene.view, { ...how, room: TURNED });
  const drawing = turned.across ? turned : upright;
  const until = moment?.row ?? Infinity;
  const current = moment?.current ?? null;
  const lit = drawing.ribbons.filter(({ row }) => row === current).map(({ column }) => column);
  const ribbons = drawing.ribbons.map(({ row, path }) => {
    const strength = current === null ? 0.38 : row === current ? 0.8 : 0.16;
    return row > until ? "" : tag("path", { d: path, fill: INK.accent, "fill-opacity": strength });
  });
  const word = (/** @type {Place} */ place, /** @type {"start" | "end"} */ side, /** @type {string} */ fill, bold = false) => {
    const face = { size: place.quiet === "mark" ? 12 : SIZE, italic: place.quiet === "mark", bold };
    const anchor = drawing.across ? "middle" : side;
    return line(place.text, face, { x: place.x, y: drawing.across ? place.y : place.y + face.size * 0.35, anchor, fill: place.quiet && !bold ? INK.soft : fill });
  };
  const columns = drawing.columns.map((place, column) => word(place, "end", current === null || lit.includes(column) ? INK.ink : INK.soft));
  const rows = drawing.rows.map((place, row) => (row > until ? "" : word(place, "start", row === current ? INK.accent : current === null ? INK.ink : INK.soft, row === current)));
  return { width: drawing.width, height: drawing.height, marks: [...ribbons, ...columns, ...rows].join("") };
}
