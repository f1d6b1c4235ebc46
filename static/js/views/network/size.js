/** The size of the picture of a network: its rows are low, then all of it smaller, until it fits. Pure. */

/** @import {Network} from "./model.js" */
/** @import {How} from "./frame.js" */

import { drawNetwork } from "./draw.js";

/** A picture that is still too high scrolls; beside another view it may be smaller. */
const SMALLEST = { alone: 0.6, beside: 0.5 };
/** The room in which the decoder of a Transformer can stand beside its encoder, or the photo. */
const WIDE = 640;

/** @typedef {{small: boolean, aside: boolean, compact: boolean, scale: number}} Size */

/**
 * The first of the layouts that fits in its natural size; else one that is scaled.
 * @param {Network} network @param {How} how in its natural size @param {number} high the room for it
 * @returns {Size}
 */
export function sizeFor(network, how, high) {
  const { small = false, room } = how;
  // Beside a step, a photo would become too small.
  const hasRoom = room >= WIDE && network.decoder.length > 0 && !(small && network.seen);
  const layouts = [
    ...(small ? [] : [{ small }]),
    ...(hasRoom
      ? [
          ...(small ? [] : [{ small, aside: true }]),
          { small: true, aside: true },
          { small: true, aside: true, compact: true },
        ]
      : []),
    ...(["recurrent", "fixed"].includes(network.kind)
      ? [{ small: true }, { small: true, compact: true }]
      : []),
  ].map((layout) => ({ aside: false, compact: false, ...layout }));
  const drawn = layouts.map((layout) => ({
    layout,
    ...drawNetwork(network, { ...how, ...layout }),
  }));
  const fits = drawn.find(({ width, height }) => height <= high && width <= room);
  if (fits) return { ...fits.layout, scale: 1 };
  const last = drawn.findLast(({ layout, width }) => layout.compact && width <= room);
  const { layout, height } = last ?? stacked(network, how);
  const least = SMALLEST[small ? "beside" : "alone"];
  return { ...layout, scale: Math.max(least, Math.min(1, high / height)) };
}

/** @param {Network} network @param {How} how */
function stacked(network, how) {
  const layout = { small: true, aside: false, compact: false };
  return { layout, height: drawNetwork(network, { ...how, ...layout }).height };
}
