/** The parts that a decoding step is shown in, in the order they are computed. Pure. */

/** @import {Order} from "../../core/types" */

/** @typedef {"ask" | "scores" | "weights" | "context" | "state" | "word" | "fixed"} PartName */

/** @type {Record<Order, PartName[]>} */
const PARTS = {
  before: ["ask", "scores", "weights", "context", "state", "word"],
  after: ["state", "scores", "weights", "context", "word"],
  fixed: ["fixed", "state", "word"],
};

/**
 * In a Transformer, which calls its order `after`, the state comes out last. Where what was read looks
 * at itself, no word comes of it.
 * @param {Order} order @param {boolean} [inLayers] @param {boolean} [reading]
 */
export const partsOf = (order, inLayers = false, reading = false) =>
  reading ? PARTS.before.slice(0, -1) : PARTS[inLayers ? "before" : order];

/** @type {Record<Order, PartName[]>} */
const GRID_PARTS = { before: PARTS.before, after: PARTS.before, fixed: ["state", "word"] };

/** The parts of a captioner's step. @param {Order} order @param {boolean} [shares] whether the map is of shares of draws, which nothing is computed from @returns {PartName[]} */
export const gridPartsOf = (order, shares = false) =>
  shares ? ["weights", "word"] : GRID_PARTS[order];
