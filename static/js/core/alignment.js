/** Word alignments read off maps, against links that a person made: the same figures as `models/align.py`. Pure. */

/** @import {AttentionMap, Output, TokenAxis} from "./types" */
/** @import {Link} from "./links.js" */

import { sureLinks, wordsOf } from "./links.js";
import { pooled } from "./trace.js";

/** Rows by which a map may be late or early. */
const SHIFTS = [0, -1, 1];
/** Error rate by which a shift must be better to be called a drift. */
const DRIFTS = 0.05;

/**
 * @typedef {object} Alignment of a head, or without a head of the mean of its layer
 * @property {number} layer @property {number | null} head
 * @property {number} shift -1: the links stand in the row before that of their word; 1: in the one behind
 * @property {number} precision @property {number} recall
 * @property {number} error 1 - (|A∩S| + |A∩P|) / (|A| + |S|) (Och and Ney 2003)
 * @property {number} links
 */

/**
 * The alignment of each head of cross-attention that has its weights, and of each layer's mean, the least error first.
 * @param {TokenAxis} source @param {Pick<Output, "target" | "maps">} output @param {Link[]} gold @returns {Alignment[]}
 */
export function alignments(source, { target, maps }, gold) {
  const found = maps.filter(
    ({ kind, key, weights }) => kind === "cross" && key === "source" && weights.length > 0,
  );
  const all = [...new Set(found.map((map) => map.layer))].flatMap((layer) => {
    const heads = found.filter((map) => map.layer === layer);
    const mean = heads.length > 1 ? [{ ...pooled(heads, layer, "mean"), head: null }] : [];
    return [...heads, ...mean].map((map) => aligned(map, source, target, gold));
  });
  return all.sort((a, b) => a.error - b.error);
}

/** The links of a map: each word of the output to the word of the input that it looks at most. @param {number[][]} weights @param {TokenAxis} source @param {TokenAxis} target @param {number} [shift] @returns {Link[]} */
export function linksOf(weights, source, target, shift = 0) {
  const keys = wordsOf(source);
  return wordsOf(target).flatMap(({ tokens }, place) => {
    const rows = tokens.map((token) => weights[token + shift]).filter(Boolean);
    if (!rows.length || !keys.length) return [];
    const shares = keys.map((key) =>
      rows.reduce((sum, row) => key.tokens.reduce((all, token) => all + row[token], sum), 0),
    );
    return [/** @type {Link} */ ([shares.indexOf(Math.max(...shares)), place])];
  });
}

/** @param {Pick<AttentionMap, "layer" | "weights"> & {head: number | null}} map @param {TokenAxis} source @param {TokenAxis} target @param {Link[]} gold @returns {Alignment} */
function aligned({ layer, head, weights }, source, target, gold) {
  const shifted = SHIFTS.map((shift) => ({
    shift,
    ...figures(linksOf(weights, source, target, shift), gold),
  }));
  const best = shifted.reduce((least, each) => (each.error < least.error ? each : least));
  const drifts = best.error <= shifted[0].error - DRIFTS;
  return { layer, head, ...(drifts ? best : shifted[0]) };
}

/** @param {Link[]} made @param {Link[]} gold */
function figures(made, gold) {
  const among = (/** @type {Link[]} */ links) => {
    const keys = new Set(links.map(([read, wrote]) => `${read} ${wrote}`));
    return {
      size: keys.size,
      made: made.filter(([read, wrote]) => keys.has(`${read} ${wrote}`)).length,
    };
  };
  const [sure, possible] = [among(sureLinks(gold)), among(gold)];
  const total = made.length + sure.size;
  return {
    precision: made.length ? possible.made / made.length : 0,
    recall: sure.size ? sure.made / sure.size : 0,
    error: total ? 1 - (sure.made + possible.made) / total : 0,
    links: made.length,
  };
}
