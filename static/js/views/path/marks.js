/** The path of glimpses as marks for page and paper, up to one of them. Pure. */

/** @import {Box, GlimpseTrace} from "../../core/types" */
/** @import {Attributes, Look, Mark} from "../../draw/marks.js" */

import { group, mark, onPage, rect, unless } from "../../draw/marks.js";
import { lineUntil, pathShapes } from "./model.js";

/** Radius of the room around a dot that can be pressed, in hundredths of the picture. */
const PRESSED = 5;

/**
 * @param {Pick<GlimpseTrace, "picture" | "target">} trace
 * @param {{row: number, playing?: boolean, look: Look}} how
 * @returns {Mark[]}
 */
export function pathMarks(trace, { row, playing = false, look }) {
  const { middles, glimpses, unit } = pathShapes(trace);
  const { width, height, preview } = trace.picture;
  const past = { stroke: look.edge, "stroke-width": unit / 2, "data-past": "" };
  const now = { stroke: look.accent, "stroke-width": 1.2 * unit, "data-now": "" };
  const dots = middles.map(({ x, y }, index) => {
    const dot = mark("circle", {
      cx: x,
      cy: y,
      r: (index === row ? 2 : 1.4) * unit,
      fill: look.accent,
    });
    const press = mark("circle", { cx: x, cy: y, r: PRESSED * unit, class: "path-press" });
    const both = mark("g", dotAttributes(index, row), [onPage(press), dot]);
    return index > row ? unless(playing, onPage(both)) : both;
  });
  return [
    mark("image", {
      width,
      height,
      href: preview,
      "image-rendering": "pixelated",
      class: "path-image",
    }),
    rect(0, 0, width, height, {
      fill: "none",
      stroke: look.edge,
      "stroke-width": unit / 2,
      class: "path-edge",
    }),
    mark("polyline", {
      points: lineUntil(middles, row),
      fill: "none",
      stroke: look.accent,
      "stroke-width": unit,
      class: "path-line",
    }),
    group(
      "past",
      glimpses.slice(0, row).map(([finest]) => square(finest, past)),
    ),
    group(
      "now",
      (glimpses[row] ?? []).map((box, scale) =>
        square(box, { ...now, "data-finest": scale ? null : "" }),
      ),
    ),
    group("dots", dots),
  ];
}

/** @param {Box} box @param {Attributes} attributes */
const square = ({ left, top, side }, attributes) =>
  rect(left, top, side, side, { fill: "none", ...attributes, class: "path-square" });

/** @param {number} index @param {number} row */
const dotAttributes = (index, row) => ({
  class: "path-dot",
  "data-row": index,
  "data-now": index === row ? "" : null,
  "data-future": index > row ? "" : null,
});
