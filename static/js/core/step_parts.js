/** The parts that a decoding step is shown in, in the order they are computed. Pure. */

/** @import {Order} from "./types" */

/** @typedef {"query" | "scores" | "weights" | "context" | "state" | "word" | "fixed"} PartName */

/** @type {Record<Order, PartName[]>} */
const PARTS = {
  before: ["query", "scores", "weights", "context", "state", "word"],
  after: ["state", "scores", "weights", "context", "word"],
  fixed: ["fixed", "state", "word"],
};

/**
 * In a Transformer, whose order is `after`, the state is computed last. Self-attention of the input
 * predicts no word.
 * @param {Order} order @param {boolean} [inLayers] @param {boolean} [reading]
 */
export const partsOf = (order, inLayers = false, reading = false) =>
  reading ? PARTS.before.slice(0, -1) : PARTS[inLayers ? "before" : order];

/** The parts of a word that is read with a memory tape (Cheng et al. 2016): first the word before is read. @type {PartName[]} */
export const TAPE_PARTS = ["state", "query", "scores", "weights", "context", "word"];

/** The parts of a token in a layer of a Vision Transformer. @type {PartName[]} */
export const PATCH_PARTS = PARTS.before.slice(0, -1);

/** @type {Record<Order, PartName[]>} */
const GRID_PARTS = { before: PARTS.before, after: PARTS.before, fixed: ["state", "word"] };

/** The parts of a captioner's step. @param {Order} order @param {boolean} [shares] true if the map shows shares of draws, from which nothing is computed @returns {PartName[]} */
export const gridPartsOf = (order, shares = false) =>
  shares ? ["weights", "word"] : GRID_PARTS[order];

/** The parts of a glimpse (Mnih et al. 2014, section 3.1). */
export const GLIMPSE_PARTS = /** @type {const} */ ([
  "place",
  "sensor",
  "vector",
  "state",
  "belief",
]);

/** @typedef {typeof GLIMPSE_PARTS[number]} GlimpsePart */
