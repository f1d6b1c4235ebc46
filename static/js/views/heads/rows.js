/** One row of every head of a picture's trace that came without its maps, all of a kind in one request. */

/** @import {AttentionMap, MapKind, PictureScene} from "../../core/types" */

import { sceneOfMap } from "../../core/grid_scene.js";
import { merge } from "../../core/trace.js";

/** The number of rows in memory. */
const KEPT = 24;

/** By the path of the trace, its hypothesis, the kind and the token: the row of each map, by its address. @type {Map<string, Map<string, number[]>>} */
const kept = new Map();

/** @param {PictureScene} scene @param {number} token */
const keyOf = ({ trace, pick, picked }, token) => [trace.run, pick, picked?.kind, token].join(" ");

/** Loads what all heads read for a row. @param {PictureScene} scene @param {number} row @param {AbortSignal} signal */
export async function loadRow(scene, row, signal) {
  const { trace, output, picked, rows } = scene;
  const kind = /** @type {MapKind} */ (picked?.kind);
  const { rowOfAll } = await import("../../core/linked_maps.js");
  await Promise.all(
    rows[row].tokens.map(async (token) => {
      const key = keyOf(scene, token);
      if (!kept.has(key)) kept.set(key, await rowOfAll(trace, output, kind, token, signal));
    }),
  );
  for (const key of [...kept.keys()].slice(0, -Math.max(KEPT, rows[row].tokens.length)))
    kept.delete(key);
}

/**
 * The scene of a head at a row, which has been loaded if the trace came without its maps.
 * @param {PictureScene} scene @param {AttentionMap} map @param {number} row @returns {PictureScene}
 */
export function sceneOfHead(scene, map, row) {
  const { address } = map;
  if (!address) return sceneOfMap(scene, map);
  const { tokens } = scene.rows[row];
  const found = tokens.map((token) => kept.get(keyOf(scene, token))?.get(address) ?? []);
  const item = { ...scene.rows[row], tokens: tokens.map((_, place) => place) };
  const cells = scene.weights[row].map((_, cell) => ({
    ...item,
    tokens: [cell + (scene.trace.source.marks?.length ?? 0)],
  }));
  const [weights] = merge(found, [item], cells);
  return {
    ...scene,
    picked: map,
    weights: scene.rows.map((_, each) => (each === row ? weights : [])),
  };
}
