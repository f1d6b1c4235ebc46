/** The colour bar, with the weight of its strongest colour. Pure. */

/** @import {Palette, Scale} from "../core/types" */
/** @import {Piece} from "./marks.js" */
/** @import {Measure} from "./type.js" */

import { colour } from "../core/colours.js";
import { DECADES, largest } from "../core/heatmap.js";
import { INK, PAPER } from "./ink.js";
import { rect } from "./marks.js";
import { label } from "./type.js";

const WIDTH = 110;
const SLICES = 44;
const FACE = { size: 10.5 };

/**
 * A bar with words at both ends. It is made of slices: a gradient needs an id, and ids would
 * collide if a page contains two drawings.
 * @param {string} before @param {string} after @param {(position: number) => string} shade of 0 to 1 @param {Measure} measure
 * @returns {Piece}
 */
export function bar(before, after, shade, measure) {
  const start = measure(before, FACE) + 6;
  const step = WIDTH / SLICES;
  // Each slice is slightly wider than its place, so that there are no white gaps.
  const slices = Array.from({ length: SLICES }, (_, i) =>
    rect(start + i * step, 2, i < SLICES - 1 ? step + 0.5 : step, 9, {
      fill: shade((i + 0.5) / SLICES),
    }),
  );
  const frame = rect(start, 2, WIDTH, 9, {
    fill: "none",
    stroke: INK.line,
    "stroke-width": 0.75,
  });
  const end = start + WIDTH + 6;
  const texts = [
    label(before, FACE, { x: 0, y: 10.5, fill: INK.soft }),
    label(after, FACE, { x: end, y: 10.5, fill: INK.soft }),
  ];
  return {
    width: end + measure(after, FACE),
    height: 13,
    marks: [...slices, frame, ...texts],
  };
}

/** The bar of a map's weights. @param {number[][]} weights @param {Scale} scale @param {boolean} log @param {Measure} measure @param {Palette} [palette] */
export function weightBar(weights, scale, log, measure, palette = PAPER) {
  const top = scale === "row" ? "largest of each row" : largest(weights).toFixed(2);
  const bottom = log ? `α, log\u2002 < 1/${10 ** DECADES} of it` : "α\u2002 0";
  return bar(bottom, top, (position) => colour(palette, position), measure);
}
