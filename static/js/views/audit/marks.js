/** A figure beside its baseline, as marks for page and paper: the range at random, and the values. Pure. */

/** @import {Look, Mark} from "../../draw/marks.js" */
/** @import {Figure} from "./model.js" */

import { mark, rect } from "../../draw/marks.js";

export const STRIP = { width: 220, height: 20 };
const EDGE = 7;
const MIDDLE = STRIP.height / 2;

/** @param {Figure} figure @param {Look} look @returns {Mark[]} */
export function strip({ value, random, others, scale: [low, high] }, look) {
  const x = (/** @type {number} */ number) =>
    EDGE +
    ((Math.min(Math.max(number, low), high) - low) / (high - low)) * (STRIP.width - 2 * EDGE);
  const tick = (/** @type {number} */ at, /** @type {string} */ colour) =>
    mark("path", {
      d: `M${x(at).toFixed(1)} 4V${STRIP.height - 4}`,
      stroke: colour,
      "stroke-width": 2,
    });
  const zero =
    low < 0 && high > 0
      ? [mark("path", { d: `M${x(0).toFixed(1)} 0V${STRIP.height}`, stroke: look.line })]
      : [];
  const band = random && [
    rect(x(random.low) - 2, 4, x(random.high) - x(random.low) + 4, STRIP.height - 8, {
      fill: look.soft,
      "fill-opacity": 0.35,
      rx: 2,
    }),
  ];
  return [
    mark("path", { d: `M${EDGE} ${MIDDLE}H${STRIP.width - EDGE}`, stroke: look.edge }),
    ...zero,
    ...(band ?? []),
    ...others.map((other) => tick(other.value, look.soft)),
    mark("circle", { cx: x(value).toFixed(1), cy: MIDDLE, r: 5.5, fill: look.accent }),
  ];
}
