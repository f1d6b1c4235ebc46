/** The heads whose attention differs most between two models that read and write the same tokens. */

/** @import {MapKind, TokenAxis, Trace} from "../../core/types" */
/** @import {Total} from "../../core/head_measures.js" */

import { averaged, totalsOf } from "../../core/head_measures.js";

/** A smaller difference is one of rounding. */
const LEAST = 0.0005;

/** @typedef {{kind: MapKind, layer: number, head: number}} Head */
/** @typedef {Head & {moved: number}} Moved */
/** @typedef {Head & {total: Total}} Apart over the rows of a map */

/** @param {TokenAxis} axis */
const tokensOf = ({ tokens }) => JSON.stringify(tokens.map(({ text }) => text));

/**
 * The heads that differ in two traces with the same tokens, those that differ most first; none if
 * tokens or sizes differ.
 * @param {Trace} one @param {Trace} other @param {AbortSignal} signal @returns {Promise<Moved[]>}
 */
export const movedHeads = async (one, other, signal) =>
  ranked((await apart(one, other, signal)) ?? []);

/**
 * The same over several pairs of texts; pairs that the models cut into different tokens are left out.
 * @template P
 * @param {P[]} pairs @param {(pair: P) => Promise<Trace[]>} answers of both models
 * @param {(place: number) => void} begins called before each pair @param {AbortSignal} signal
 */
export async function movedOver(pairs, answers, begins, signal) {
  const all = [];
  for (const [place, pair] of pairs.entries()) {
    begins(place);
    const [one, other] = await answers(pair);
    const found = await apart(one, other, signal);
    if (found) all.push(found);
  }
  return { heads: ranked(all.flat()), count: all.length };
}

/** @param {Apart[]} all one or several for each head @returns {Moved[]} */
function ranked(all) {
  /** @type {Map<string, Apart[]>} */
  const heads = new Map();
  for (const each of all) {
    const key = `${each.kind} ${each.layer} ${each.head}`;
    heads.set(key, [...(heads.get(key) ?? []), each]);
  }
  return [...heads.values()]
    .map((own) => {
      const { moved = 0 } = averaged(own.map(({ total }) => ({ moved: total })));
      const [{ kind, layer, head }] = own;
      return { kind, layer, head, moved };
    })
    .filter(({ moved }) => moved >= LEAST)
    .sort((a, b) => b.moved - a.moved);
}

/**
 * The difference of all heads; null if the tokens differ.
 * @param {Trace} one @param {Trace} other @param {AbortSignal} signal @returns {Promise<Apart[] | null>}
 */
async function apart(one, other, signal) {
  const alike =
    tokensOf(one.source) === tokensOf(other.source) &&
    tokensOf(one.target) === tokensOf(other.target);
  const loaded = !one.run && !other.run;
  if (!alike || (!loaded && !(one.run && other.run))) return null;
  return loaded ? ofMaps(one, other) : ofRuns(one, other, signal);
}

/** @param {Trace} one @param {Trace} other @returns {Apart[]} */
function ofMaps(one, other) {
  return one.maps.flatMap((map) => {
    const { kind, layer, head } = map;
    const theirs = other.maps.find(
      (each) => each.kind === kind && each.layer === layer && each.head === head,
    );
    const { moved: total } = totalsOf(one, one, map, { other: theirs });
    return total ? [{ kind, layer, head, total }] : [];
  });
}

/** @param {Trace} one @param {Trace} other @param {AbortSignal} signal @returns {Promise<Apart[]>} */
async function ofRuns(one, other, signal) {
  const { measured } = await import("../../core/linked_maps.js");
  const kinds = [...new Set(one.maps.map(({ kind }) => kind))];
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const count = (kind === "encoder-self" ? one.source : one.target).tokens.length;
      const heads = await measured(one, one, kind, { beside: other }, signal);
      return heads.flatMap(({ layer, head, moved }) =>
        moved === undefined ? [] : [{ kind, layer, head, total: { sum: moved * count, count } }],
      );
    }),
  );
  return found.flat();
}
