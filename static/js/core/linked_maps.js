/**
 * The maps of a large trace, which its answer leaves out: each is loaded when it is shown, and the
 * last ones are kept. Loaded with the first such trace.
 */

/** @import {AttentionMap, LinkedMap, MapKind, Model, Output, Settings, Trace} from "./types" */
/** @import {LinkedMap as Link} from "./wire" */

import { read } from "./api.js";
import { ExportRefused } from "./errors.js";
import { readNpy } from "./npy.js";
import { bestHead } from "./scene.js";
import { choices, hypotheses } from "./trace.js";
import { viewNamed } from "../views/registry.js";

const NPY = "application/x-npy";
const JSON_MEDIA = "application/json";
/** The number of maps in memory; a map of 256 × 256 takes half a megabyte. */
const KEPT = 48;
/** The weights of a trace that a file of the browser may hold, scores aside. */
const MOST_WEIGHTS = 16e6;

/** @typedef {Pick<AttentionMap, "weights" | "scores" | "queries" | "keys" | "values">} Loaded */

/** By address, the last used at the end. @type {Map<string, Loaded>} */
const kept = new Map();

/**
 * The trace with the maps that it came without. They have no weights until they are loaded.
 * @param {Trace} trace @returns {Trace}
 */
export function withMaps(trace) {
  const linked = /** @type {Trace & {linked?: Link[]}} */ (trace);
  /** @template {Output} O @param {O & {linked?: Link[]}} output @returns {O} */
  const made = ({ linked = [], ...output }) =>
    /** @type {O} */ (/** @type {unknown} */ ({ ...output, maps: linked.map(mapAt) }));
  return { ...made(linked), runners_up: trace.runners_up.map(made) };
}

/** @param {Link} link @returns {LinkedMap} */
function mapAt(link) {
  const { address } = link;
  return /** @type {LinkedMap} */ ({
    ...link,
    get weights() {
      return kept.get(address)?.weights ?? [];
    },
    get scores() {
      return kept.get(address)?.scores;
    },
    get queries() {
      return kept.get(address)?.queries;
    },
    get keys() {
      return kept.get(address)?.keys;
    },
    get values() {
      return kept.get(address)?.values;
    },
  });
}

/** The maps that settings show: one, or all heads of a layer that are pooled. @param {Trace} trace @param {Settings} settings @param {Model} model */
export function shown(trace, settings, model) {
  const all = hypotheses(trace);
  const { maps } = all[Math.min(settings.pick, all.length - 1)];
  const { picked, pool } = choices({ maps }, settings, bestHead(model));
  return /** @type {LinkedMap[]} */ (
    maps.filter(
      (map) =>
        map.kind === picked?.kind &&
        map.layer === picked.layer &&
        (pool !== null || map.head === picked.head),
    )
  );
}

/**
 * Loads the maps that settings show; for the parts of a step, with scores and vectors.
 * @param {Trace} trace @param {Settings} settings @param {Model} model @param {AbortSignal} signal
 */
export async function load(trace, settings, model, signal) {
  const maps = shown(trace, settings, model);
  const numbers = viewNamed("tokens", settings.view).parts && settings.pool === null;
  await Promise.all(maps.map((map) => loadMap(map, numbers ?? false, signal)));
  for (const address of [...kept.keys()].slice(0, -Math.max(KEPT, maps.length)))
    kept.delete(address);
}

/** @param {LinkedMap} map @param {boolean} numbers @param {AbortSignal} signal */
async function loadMap({ address }, numbers, signal) {
  const known = kept.get(address);
  const found =
    known && (known.scores || !numbers) ? known : await loaded(address, numbers, signal);
  kept.delete(address);
  kept.set(address, found);
}

/** @param {string} address @param {boolean} numbers @param {AbortSignal} signal @returns {Promise<Loaded>} */
async function loaded(address, numbers, signal) {
  const response = await read(address, numbers ? JSON_MEDIA : NPY, signal);
  if (numbers) return response.json();
  const [weights] = matrices(await response.arrayBuffer(), 2);
  return { weights };
}

/**
 * The matrices in a file of NumPy that holds one or several.
 * @param {ArrayBuffer} content @param {2 | 3} dimensions @returns {number[][][]}
 */
function matrices(content, dimensions) {
  const { shape, data } = readNpy(new Uint8Array(content), "The map");
  const [count, rows, columns] = dimensions === 3 ? shape : [1, ...shape];
  const numbers = /** @type {Float64Array} */ (data);
  return Array.from({ length: count }, (_, map) =>
    Array.from({ length: rows }, (_, row) => {
      const from = (map * rows + row) * columns;
      return Array.from(numbers.subarray(from, from + columns));
    }),
  );
}

/** @param {Trace} trace @param {Output} output @param {MapKind} kind */
const queryOf = (trace, output, kind) =>
  new URLSearchParams({ kind, pick: String(hypotheses(trace).indexOf(output)) });

/**
 * All maps of a kind, reduced to a few rows and columns, by the addresses of the maps.
 * @param {Trace} trace @param {Output} output @param {MapKind} kind @param {AbortSignal} signal
 * @returns {Promise<Map<string, number[][]>>}
 */
export async function thumbnails(trace, output, kind, signal) {
  const response = await read(
    `${trace.run}/thumbnails?${queryOf(trace, output, kind)}`,
    NPY,
    signal,
  );
  const reduced = matrices(await response.arrayBuffer(), 3);
  const maps = output.maps.filter((map) => map.kind === kind);
  return new Map(maps.map(({ address }, place) => [String(address), reduced[place]]));
}

/**
 * The measures of all heads of a kind, as the server computes them.
 * @param {Trace} trace @param {Output} output @param {MapKind} kind
 * @param {{links?: string | null, beside?: Trace | null}} how @param {AbortSignal} signal
 * @returns {Promise<import("./wire").Head[]>}
 */
export async function measured(trace, output, kind, { links, beside }, signal) {
  const query = queryOf(trace, output, kind);
  if (links) query.set("links", links);
  if (beside?.run) query.set("beside", beside.run.split("/").at(-1) ?? "");
  const response = await read(`${trace.run}/heads?${query}`, JSON_MEDIA, signal);
  return (await response.json()).heads;
}

/** The trace with all its maps. Throws `ExportRefused` if a file cannot hold them. @param {Trace} trace @returns {Promise<Trace>} */
export async function whole(trace) {
  const maps = /** @type {LinkedMap[]} */ (hypotheses(trace).flatMap((output) => output.maps));
  const count = maps.reduce((total, { rows, columns }) => total + rows * columns, 0);
  if (count > MOST_WEIGHTS)
    throw new ExportRefused(
      `This trace has ${Math.round(count / 1e6)} million weights, too many for a file made by the browser. Save its NumPy arrays instead.`,
    );
  return (await read(String(trace.run), JSON_MEDIA)).json();
}

/** The NumPy archive of the whole trace. @param {Trace} trace */
export const archive = async (trace) => (await read(String(trace.run), "application/x-npz")).blob();
