/** The reduced maps of a trace that came without its maps, all of a kind in one request. */

/** @import {AttentionMap, MapKind, Output, Trace} from "../../core/types" */

/** Those of the last output and kind that were shown, by the addresses of the maps. @type {Map<string, number[][]>} */
let last = new Map();

/** @param {Trace} trace @param {Output} output @param {MapKind} kind @param {AbortSignal} signal */
export async function loadThumbnails(trace, output, kind, signal) {
  const first = output.maps.find((map) => map.kind === kind);
  if (!first || last.has(String(first.address))) return;
  const { thumbnails } = await import("../../core/linked_maps.js");
  last = await thumbnails(trace, output, kind, signal);
}

/** The reduced map of a head; null if it has its own weights. @param {AttentionMap} map @returns {number[][] | null} */
export const reducedOf = ({ address }) => (address ? (last.get(address) ?? []) : null);
