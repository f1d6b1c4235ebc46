/** The layout of all heads on one screen, and the way of the arrow keys among them. Pure. */

/** @import {AttentionMap, HeadOrder, PictureScene} from "../../core/types" */

import { entropy } from "../../core/row_metrics.js";
import { percent } from "../../core/text.js";

/** The maps of a photo that are of the kind on screen, layer by layer. @param {Pick<PictureScene, "output" | "picked">} scene */
export const mapsOf = ({ output, picked }) =>
  /** @type {AttentionMap[]} */ (
    output.maps
      .filter(({ kind, key }) => key === "source" && kind === picked?.kind)
      .sort((a, b) => a.layer - b.layer || a.head - b.head)
  );

/** Limits of the width of a small map: what a finger can hit, and what the eye needs. */
const LEAST = 20;
const MOST = 288;
/** Below this width the name of a head does not fit above its map. */
const ROOMY = 88;
/** Beside the maps: the names of the layers; above each: the name of its head; around it. */
const SIDE = { wide: 72, narrow: 28 };
const NAME = 24;
const FRAME = { roomy: 28, dense: 6 };
/** Between the lines, and above dense ones: the numbers of the heads. */
const GAP = { roomy: 12, dense: 2 };
const NUMBERS = 24;
/** Several lines for each layer show less well where a head is, so its maps must be larger by this factor. */
const WORTH = 1.25;
/** Below this width of the screen the names of the layers are numbers. */
const NARROW = 560;

/**
 * @typedef {object} Shape of a map
 * @property {number} aspect width over height @property {number} stretch how much wider it may be drawn
 *
 * @typedef {object} HeadsLayout
 * @property {number} columns heads in a line
 * @property {number} width of a map, in pixels @property {number} height
 * @property {boolean} dense whether the heads have no names of their own
 * @property {boolean} [whole] whether all of them are within the height of the room
 */

/**
 * The largest maps with which all layers fit into the room, in lines of equal length. Where they
 * are too small for names, each layer is one line, below the numbers of its heads, unless several
 * lines make them much larger. Where the room is too small for maps that can be hit, its height is
 * exceeded, never its width.
 * @param {{layers: number, heads: number} & Shape} count
 * @param {{width: number, height: number}} room @returns {HeadsLayout}
 */
export function headsLayout({ layers, heads, aspect, stretch }, room) {
  const side = room.width < NARROW ? SIDE.narrow : SIDE.wide;
  const fitted = (/** @type {number} */ columns, /** @type {boolean} */ dense) => {
    const kind = dense ? "dense" : "roomy";
    const frame = FRAME[kind];
    const lines = layers * Math.ceil(heads / columns);
    const across = (room.width - side) / columns - frame;
    const high = room.height - (dense && columns === heads ? NUMBERS : 0);
    const down = high / lines - frame - GAP[kind] - (dense ? 0 : NAME);
    const least = Math.min(LEAST, across) / aspect;
    const height = Math.max(down, least);
    const width = Math.min(across, MOST, height * aspect * stretch);
    return {
      columns,
      width: Math.floor(width),
      height: Math.floor(Math.min(height, width / aspect)),
      dense,
      whole: down >= least,
    };
  };
  const lengths = Array.from({ length: heads }, (_, index) => heads - index).filter(
    (columns) => heads % columns === 0,
  );
  const largest = (/** @type {HeadsLayout[]} */ all) =>
    all.reduce((best, each) => (each.width > best.width ? each : best));
  const roomy = largest(lengths.map((columns) => fitted(columns, false)));
  if (roomy.width >= ROOMY) return roomy;
  const [oneLine, ...several] = lengths.map((columns) => fitted(columns, true));
  if (oneLine.width < LEAST && several.length) return largest(several);
  const worth = several.filter(({ whole, width }) => whole && width > WORTH * oneLine.width);
  return worth.length ? largest(worth) : oneLine;
}

/** Minimum width of a map in the order of a measure, where each has its layer, its head and its figure. */
const RANKED = 112;

/**
 * The layout of heads in the order of a measure: the largest maps with which all fit into the room,
 * or as many in a line as their names allow.
 * @param {{heads: number} & Shape} count @param {{width: number, height: number}} room @returns {HeadsLayout}
 */
export function rankedLayout({ heads, aspect, stretch }, room) {
  const most = Math.max(1, Math.floor(room.width / (RANKED + FRAME.roomy)));
  const fitted = Array.from({ length: most }, (_, index) => {
    const columns = index + 1;
    const across = Math.min(MOST, room.width / columns - FRAME.roomy);
    const height = Math.min(across / aspect, across * stretch);
    const lines = Math.ceil(heads / columns);
    return {
      columns,
      across,
      height,
      fits: lines * (height + FRAME.roomy + 2 * NAME) <= room.height,
    };
  });
  const { columns, across, height } = fitted.find(({ fits }) => fits) ?? fitted[most - 1];
  return { columns, width: Math.floor(across), height: Math.floor(height), dense: false };
}

/** @typedef {import("../../core/head_measures.js").Figures} Figures */

/** @type {Record<Exclude<HeadOrder, "layer">, string>} */
export const MEASURES = {
  alignment: "alignment",
  entropy: "entropy",
  diagonal: "diagonal",
  sink: "sink share",
};

/**
 * The heads in an order, each with its figures: the sharpest first, or those with the most of a measure.
 * @template {{layer: number, head: number}} H
 * @param {H[]} heads @param {HeadOrder} order @param {(head: H) => Figures | null} figures @returns {H[]}
 */
export function ordered(heads, order, figures) {
  const place = (/** @type {H} */ head) => {
    const value = order === "layer" ? 0 : figures(head)?.[order];
    return value === undefined ? Infinity : order === "entropy" ? value : -value;
  };
  return heads.toSorted((a, b) => place(a) - place(b) || 0 || a.layer - b.layer || a.head - b.head);
}

/** The figure of a head, as its name has it. @param {HeadOrder} order @param {Figures | null} figures */
export function figureText(order, figures) {
  const value = figures?.[order === "layer" ? "entropy" : order];
  if (value === undefined) return order === "layer" ? "" : "–";
  return order === "layer" || order === "entropy" ? `${value.toFixed(1)} bits` : percent(value);
}

/** The entropy of a row, @param {number[][]} weights */
export const meanEntropy = (weights) =>
  weights.reduce((total, row) => total + entropy(row), 0) / Math.max(weights.length, 1);

/** @type {Record<string, (columns: number, count: number) => number>} */
const MOVES = {
  ArrowLeft: () => -1,
  ArrowRight: () => 1,
  ArrowUp: (columns) => -columns,
  ArrowDown: (columns) => columns,
  Home: (_, count) => -count,
  End: (_, count) => count,
};

/**
 * The head that a key leads to, in reading order; null for other keys.
 * @param {number} at @param {string} key @param {{columns: number, count: number}} grid @returns {number | null}
 */
export function moved(at, key, { columns, count }) {
  const to = MOVES[key]?.(columns, count);
  if (to === undefined) return null;
  const wanted = at + to;
  // Up from the first line and down from the last lead nowhere.
  if (Math.abs(to) === columns && columns > 1 && (wanted < 0 || wanted >= count)) return at;
  return Math.min(Math.max(wanted, 0), count - 1);
}
