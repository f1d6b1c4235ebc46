/** One head of several in one step: its query, its keys and values, and its output. Pure. */

/** @import {Formula, Key, Symbol} from "./model.js" */
/** @import {PartName} from "../../core/step_parts.js" */
/** @import {AttentionMap, MapKind, Scene, Vector} from "../../core/types" */

import { below } from "../../core/text.js";
import { sumOf } from "./model.js";
import { learnedOnce as learned, sized } from "./symbols.js";

/**
 * The vectors of a head: `present` or `absent` in the trace, or `pooled`, if the map merges several
 * heads.
 * @typedef {"present" | "absent" | "pooled"} HeadVectors
 *
 * @typedef {object} Head
 * @property {HeadVectors} vectors @property {MapKind} kind of its map
 * @property {number} layer @property {number} head counted from 1
 * @property {number} heads of a layer @property {number} layers
 * @property {boolean} last true if its output is a part of c, which the trace contains for the last layer
 * @property {Vector | null} query q
 * @property {Vector[]} keys k @property {Vector[]} values v; both empty while a trace still grows
 * @property {Vector | null} sum of the α·v
 */

/** The head of the map that is shown; null for a model with one head. @param {Scene} scene @param {number} token of the row @returns {Head | null} */
export function headOf({ trace, picked, pool, heads, layers }, token) {
  if (trace.model.mechanism !== "multihead" || !picked) return null;
  const query = picked.queries?.[token] ?? null;
  // Keys and values of the input are the same for all hypotheses: they are in the maps of the best.
  const withKeys = picked.keys ? picked : trace.maps.find((map) => same(map, picked));
  const values = (query && withKeys?.values) || [];
  return {
    vectors: pool ? "pooled" : query ? "present" : "absent",
    kind: picked.kind,
    layer: picked.layer + 1,
    head: picked.head + 1,
    heads: heads.length,
    layers: layers.length,
    last: picked.kind === "cross" && picked.layer === layers.at(-1),
    query,
    keys: (query && withKeys?.keys) || [],
    values,
    sum: sumOf(values, picked.weights[token] ?? []),
  };
}

/** @param {AttentionMap} one @param {AttentionMap} other */
const same = (one, other) =>
  one.kind === other.kind && one.layer === other.layer && one.head === other.head;

/**
 * @typedef {object} Known symbols of all steps
 * @property {Symbol} a α @property {Symbol} c @property {Symbol} e @property {Symbol} now s
 * @property {Key | null} best the key with the largest weight
 */

/**
 * The formula of a part; null if it is that of models with one head.
 * @param {PartName} part @param {{head: Head | null, layered: boolean}} chain @param {Known} known @returns {Formula | null}
 */
export function formulaOfHead(part, { head, layered }, { a, c, e, now, best }) {
  if (!head || (!layered && head.vectors !== "present")) return null;
  const one = head.vectors === "pooled" ? "a head" : `head ${head.head} of layer ${head.layer}`;
  const across = head.kind === "cross";
  const q = { symbol: "qₜ", meaning: sized(`the query of ${one}`, head.query) };
  // The joined outputs of all heads of a layer, before the residual connection.
  const joined =
    across && head.last
      ? c
      : {
          symbol: across ? c.symbol : "oₜ",
          meaning: `the joined outputs of all heads of layer ${head.layer}; the trace ${across ? "contains those of the last layer only" : "does not contain them"}`,
        };
  switch (part) {
    case "query":
      return layered
        ? [
            q,
            " = ",
            learned("W"),
            " ",
            { symbol: across ? "x" : "x̂ₜ", meaning: QUERY_INPUTS[head.kind] ?? "" },
            " + ",
            learned("b"),
          ]
        : null;
    case "scores": {
      const k = {
        symbol: "kⱼ",
        meaning: sized(`the key of ${one} for the token at j`, best?.key ?? null),
      };
      const d = {
        symbol: "d",
        meaning: head.query ? `the width of a head: ${head.query.size}` : "the width of a head",
      };
      return [e, " = ", q, " · ", k, " / √", d];
    }
    case "context": {
      const v = {
        symbol: "vⱼ",
        meaning: sized(`the value of ${one} for the token at j`, best?.value ?? null),
      };
      const sum = {
        symbol: `head${head.vectors === "pooled" ? "ᵢ" : below(head.head)}`,
        meaning: sized(`the output of ${one}`, head.sum),
      };
      return [
        sum,
        " = Σⱼ ",
        head.vectors === "pooled" ? "αᵢⱼ vᵢⱼ" : a,
        ...(head.vectors === "pooled" ? [] : [" ", v]),
        ", ",
        joined,
        " = ",
        learned("Wᴼ"),
        ` [${all(head.heads)}] + `,
        learned("b"),
      ];
    }
    case "state":
      if (across)
        return layered
          ? [now, " = norm(", PAST, " + ", c, " + FFN(norm(", PAST, " + ", c, ")))"]
          : null;
      return added(head, joined, now);
    case "word":
      return layered
        ? ["P(word) = softmax(", learned("E"), " ", now, " + ", learned("b"), ")"]
        : null;
    default:
      return null;
  }
}

/** The inputs of the query. @type {Partial<Record<MapKind, string>>} */
const QUERY_INPUTS = {
  cross: "the output so far, as the heads of this layer receive it",
  "decoder-self": "the last output token, as the heads of this layer receive it: xₜ, normalized",
  "encoder-self": "the input token, as the heads of this layer receive it: xₜ, normalized",
};
const PAST = { symbol: "x", meaning: "the input of the last layer plus its self-attention" };

/**
 * The residual connection after self-attention.
 * @param {Head} head @param {Symbol} joined @param {Symbol} now @returns {Formula}
 */
function added({ kind, layer, layers }, joined, now) {
  const x = { symbol: "xₜ", meaning: `the input of layer ${layer}` };
  const sum = (/** @type {string} */ meaning) => ({ symbol: "yₜ", meaning });
  if (kind === "decoder-self")
    return [sum("the input of cross-attention"), " = ", x, " + ", joined];
  const y = sum("the input of the layer plus its attention");
  const out =
    layer === layers
      ? [now, " = norm(", y, " + FFN(norm(", y, ")))"]
      : [
          { symbol: "x′ₜ", meaning: `the input of layer ${layer + 1}` },
          " = ",
          y,
          " + FFN(norm(",
          y,
          "))",
        ];
  return [...out, ", ", y, " = ", x, " + ", joined];
}

/** @param {number} heads */
const all = (heads) =>
  heads < 3 ? ["head₁", "head₂"].slice(0, heads).join("; ") : `head₁; …; head${below(heads)}`;
