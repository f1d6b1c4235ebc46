/** The size of the picture of a network: its rows are low, then all of it smaller, until it fits. Pure. */

/** @import {Network} from "./model.js" */
/** @import {How} from "./frame.js" */

import { drawNetwork } from "./draw.js";
import { isNarrow } from "./frame.js";

/** A picture that is still too high scrolls; beside another view it may be smaller. */
const SMALLEST = { alone: 0.6, beside: 0.5 };
/** The smallest text on the screen, in pixels. */
const LEAST_TYPE = 11;
const MOST_TRIES = 4;
/** Below this scale the names at the side, whose text stays readable, have no room. */
const NAMED = 0.8;
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
    ...(["recurrent", "fixed"].includes(network.kind) || network.seen || !hasRoom
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
  const layout = last?.layout ?? { small: true, aside: false, compact: true };
  const least = SMALLEST[small ? "beside" : "alone"];
  return { ...layout, scale: scaleFor(network, { ...how, ...layout }, { high, least }) };
}

/** The scale at which a layout fits. In a smaller one its texts, which stay readable, take more of it. @param {Network} network @param {How} how @param {{high: number, least: number}} limits */
function scaleFor(network, how, { high, least }) {
  let scale = 1;
  for (let tries = 0; tries < MOST_TRIES && scale > least; tries++) {
    const height = drawNetwork(network, scaled(how, scale)).height * scale;
    if (height <= high) break;
    scale = Math.max(least, (scale * high) / height);
  }
  return scale;
}

/** How a network is drawn that is shown at a scale: in more room, with texts that stay readable. @param {How} how @param {number} scale @returns {How} */
export function scaled(how, scale) {
  if (scale === 1) return how;
  const least = LEAST_TYPE / scale;
  return {
    ...how,
    room: how.room / scale,
    narrow: isNarrow(how.room) || (scale < NAMED && !how.aside),
    look: { ...how.look, least },
    measure: (text, face) => how.measure(text, { ...face, size: Math.max(face.size, least) }),
  };
}
