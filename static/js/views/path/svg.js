/** The path of glimpses as SVG, up to one of them where it is a frame of an animation. Pure. */

/** @import {GlimpseScene} from "../../core/types" */
/** @import {SvgHow} from "../types" */

import { colour } from "../../core/colours.js";
import { inOrder } from "../../core/kinds/glimpses.js";
import { percent } from "../../core/text.js";
import { INK, PAPER } from "../../draw/paper/ink.js";
import { at, rect, stacked, tag } from "../../draw/paper/markup.js";
import { ROOM, sheet } from "../../draw/paper/sheet.js";
import { line, paragraph } from "../../draw/paper/type.js";
import { lineUntil, patchName, pathShapes } from "./model.js";

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
  const beside = [
    { x: 0, marks: pathOf(scene, row) },
    { x: SIDE + GAP, marks: patchesOf(scene, row) },
    { x: SIDE + 2 * GAP + 130, marks: beliefOf(scene, row) },
  ];
  const drawing = {
    width: ROOM,
    height: SIDE,
    marks: beside.map(({ x, marks }) => at(x, 0, marks)).join(""),
  };
  const sentence = paragraph(said, FACE, ROOM, measure, { fill: INK.soft, most: 2 });
  const body = stacked([drawing, { ...sentence, height: 2 * LINE }], 10);
  return sheet(scene, body, measure, { sentences: "none", about: said });
}

/** @param {GlimpseScene} scene @param {number} row */
function pathOf({ trace }, row) {
  const { frame, middles, glimpses, unit } = pathShapes(trace);
  const { width, height, preview } = trace.picture;
  const square = (
    /** @type {number} */ index,
    /** @type {Record<string, string | number>} */ how,
  ) =>
    glimpses[index].map(({ left, top, side }, scale) =>
      scale && index !== row
        ? ""
        : tag("rect", { x: left, y: top, width: side, height: side, fill: "none", ...how }),
    );
  const points = lineUntil(middles, row);
  const dots = middles
    .slice(0, row + 1)
    .map(({ x, y }, index) =>
      tag("circle", { cx: x, cy: y, r: (index === row ? 2 : 1.4) * unit, fill: INK.accent }),
    );
  return tag(
    "svg",
    {
      width: SIDE,
      height: SIDE,
      viewBox: `${frame.left} ${frame.top} ${frame.width} ${frame.height}`,
    },
    tag("image", { width, height, href: preview, style: "image-rendering: pixelated" }),
    tag("rect", { width, height, fill: "none", stroke: INK.edge, "stroke-width": unit / 2 }),
    tag("polyline", { points, fill: "none", stroke: INK.accent, "stroke-width": unit }),
    ...glimpses
      .slice(0, row)
      .flatMap((_, index) => square(index, { stroke: INK.edge, "stroke-width": unit / 2 })),
    ...square(row, { stroke: INK.accent, "stroke-width": 1.2 * unit }),
    ...dots,
  );
}

/** The patches that a glimpse saw, one below or beside the other. @param {GlimpseScene} scene @param {number} row @param {boolean} [down] */
export function patchesOf({ trace: { steps, target } }, row, down = true) {
  return (steps[row]?.seen ?? [])
    .map((rows, scale) => {
      const cell = PATCH / rows.length;
      const cells = rows.flatMap((values, y) =>
        values.map((value, x) =>
          value > 0 ? rect(x * cell, y * cell, cell, cell, colour(PAPER, value)) : "",
        ),
      );
      const frame = { width: PATCH, height: PATCH, fill: "none", stroke: INK.edge };
      const name = patchName(target.glimpses[row], scale, rows.length);
      const captions = (down ? [name] : name.split(", ")).map((text, index) =>
        line(text, SMALL, { x: 0, y: PATCH + 11 * (index + 1), fill: INK.soft }),
      );
      const place = scale * (PATCH + GAP);
      return at(
        down ? 0 : place,
        down ? place : 0,
        [...cells, tag("rect", frame), ...captions].join(""),
      );
    })
    .join("");
}

/** The belief after a glimpse. @param {GlimpseScene} scene @param {number} row */
export function beliefOf({ trace: { steps, text } }, row) {
  return inOrder(steps[row])
    .map(({ text: name, probability }, index) => {
      const y = index * LINE;
      return [
        line(name, { ...FACE, bold: name === text }, { x: 0, y: y + 12 }),
        rect(14, y + 3, Math.max(0.5, BAR * probability), 11, INK.accent),
        line(percent(probability), SMALL, { x: 18 + BAR * probability, y: y + 12, fill: INK.soft }),
      ].join("");
    })
    .join("");
}
