/** A vector as SVG: bars up for positive and down for negative. Pure. */

/** @import {MapScene, Vector} from "../../core/types" */
/** @import {Mark, Piece} from "../marks.js" */
/** @import {Measure} from "../type.js" */

import { noAttention, vectorNote } from "../../core/sentences.js";
import { INK } from "../ink.js";
import { at, mark, number } from "../marks.js";
import { stacked } from "../pieces.js";
import { label, paragraph } from "../type.js";
import { barPaths } from "../vector.js";

/**
 * @param {string} name @param {string} meaning @param {Vector} vector
 * @param {{room: number, tall?: number}} size @param {Measure} measure @returns {Piece}
 */
export function vectorDrawing(name, meaning, vector, { room, tall = 34 }, measure) {
  const step = room / vector.summary.length;
  const { up, down } = barPaths(vector.summary, Math.max(1 - 1 / step, 0.7));
  const bars = (/** @type {string} */ d, /** @type {string} */ fill) =>
    mark("path", {
      d,
      fill,
      transform: `translate(0 ${tall / 2}) scale(${step.toFixed(4)} ${tall / 2})`,
    });
  const rule = (/** @type {number} */ y) =>
    mark("path", { d: `M0 ${number(y)}H${number(room)}`, stroke: INK.line, "stroke-width": 0.75 });
  const marks = [
    ...[rule(0), rule(tall / 2), rule(tall)],
    ...[bars(up, INK.accent), bars(down, INK.edge)],
  ];
  const face = { size: 11, bold: true };
  const wide = measure(name, face) + 6;
  const rest = paragraph(
    `${meaning}; ${vectorNote(vector)}`,
    { size: 10.5 },
    room - wide,
    measure,
    { fill: INK.soft, most: 2 },
  );
  const top = rest.height + 4;
  return {
    width: room,
    height: top + tall,
    marks: [label(name, face, { x: 0, y: 10 }), at(wide, -0.5, rest.marks), at(0, top, marks)],
  };
}

/** A small vector, of the size of a word. @param {string} path @param {number} count of its bars @param {number} wide @param {number} tall @param {number} [scale] of its height @returns {Mark[]} */
export function spark(path, count, wide, tall, scale = 1) {
  const rule = mark("path", {
    d: `M0 ${number(tall / 2)}H${number(wide)}`,
    stroke: INK.line,
    "stroke-width": 0.75,
  });
  const drawn = mark("path", {
    d: path,
    fill: INK.accent,
    transform: `translate(0 ${number(tall / 2)}) scale(${(wide / count).toFixed(4)} ${((tall / 2) * scale).toFixed(4)})`,
  });
  return scale > 0 ? [rule, drawn] : [rule];
}

/** The drawing of a model that has no map. @param {MapScene} scene @param {number} room @param {Measure} measure @returns {Piece} */
export function withoutMap({ output }, room, measure) {
  const vector = output.steps[0]?.context ?? null;
  const statement = paragraph(
    noAttention(vector?.size ?? 0),
    { size: 15, serif: true },
    room,
    measure,
  );
  return stacked(
    [
      statement,
      ...(vector
        ? [vectorDrawing("c", "the same at every step", vector, { room, tall: 64 }, measure)]
        : []),
    ],
    12,
  );
}
