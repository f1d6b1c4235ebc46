/** The context of a step: the vector that attention returns. Pure. */

/** @import {Vector} from "../../core/types" */
/** @import {Area} from "../../draw/marks.js" */
/** @import {Frame} from "./frame.js" */

import { largest, means, vector } from "./marks.js";
import { NUMBERS } from "./reader.js";

/**
 * The vector, framed in the colour of attention; only the frame if its numbers are unknown.
 * @param {Frame} frame @param {Area} area `x`: its centre @param {Vector | null} [of] @param {number} [count] of its cells
 */
export function contextVector(frame, area, of = frame.network.context, count = NUMBERS) {
  const { look, part } = frame;
  const values = of && means(of.summary, count);
  const stroke = { stroke: look.accent, "stroke-width": 2 };
  return part("context", 6, vector(values, area, largest([values]), look, stroke));
}
