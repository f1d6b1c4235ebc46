/** The size of the picture of a network: its rows are low, then all of it smaller, until it fits. Pure. */

/** @import {Network} from "./model.js" */
/** @import {How} from "./frame.js" */

import { drawNetwork } from "./draw.js";

/** A picture that is still too high scrolls; beside another view it may be smaller. */
const SMALLEST = { alone: 0.6, beside: 0.5 };

/** @typedef {{small: boolean, scale: number}} Size */

/**
 * @param {Network} network @param {How} how in its natural size @param {number} high the room for it
 * @returns {Size}
 */
export function sizeFor(network, how, high) {
  const { small = false } = how;
  if (!small && drawNetwork(network, how).height <= high) return { small, scale: 1 };
  const { height } = drawNetwork(network, { ...how, small: true });
  const least = SMALLEST[small ? "beside" : "alone"];
  return { small: true, scale: Math.max(least, Math.min(1, high / height)) };
}
