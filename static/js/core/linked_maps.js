/**
 * The maps of a large trace, which its answer leaves out: each is loaded when it is shown, and the
 * last ones are kept. Loaded with the first such trace.
 */

/** @import {AttentionMap, LinkedMap, MapKind, Model, Output, PageSettings, PatchTrace, PictureMap, PictureOutput, PictureTrace, Trace} from "./types" */
/** @import {LinkedMap as Link} from "./wire" */

import { read } from "./api.js";
import { ExportRefused } from "./errors.js";
import { grid } from "./kinds/grid.js";
import { patches } from "./kinds/patches.js";
import { tokens } from "./kinds/tokens.js";
import { readNpy } from "./npy.js";
import { viewNamed } from "./views.js";

const NPY = "application/x-npy";
const JSON_MEDIA = "application/json";
/** The number of maps in memory; a map of 256 × 256 takes half a megabyte. */
const KEPT = 48;
/** The weights of a trace that a file of the browser may hold, scores aside. */
const MOST_WEIGHTS = 16e6;

/** The weights of a map that is not loaded. @type {number[][]} */
const NOTHING = [];

/** @typedef {Trace | PictureTrace} AnyLarge */

/** @typedef {Pick<AttentionMap, "weights" | "scores" | "queries" | "keys" | "values">} Loaded */

/** The arrays that the server has sent, by address, the last used at the end. @type {Map<string, Loaded>} */
const kept = new Map();

/**
 * The trace with the maps that it came without. They have no weights until they are loaded.
 * @template {AnyLarge} T @param {T} trace @returns {T}
 */
export function withMaps(trace) {
  /** @param {AnyLarge | Output | PictureOutput} output */
  const made = (output) => {
    const { linked = [], ...rest } = /** @type {typeof output & {linked?: Link[]}} */ (output);
    return { ...rest, maps: linked.map(mapAt) };
  };
  const runners_up = outputsOf(trace).slice(1).map(made);
  const { baseline } = /** @type {{baseline?: any}} */ (trace);
  const whole = { ...made(trace), runners_up, ...(baseline && { baseline: made(baseline) }) };
  if (largeOf(trace).rollouts)
    return /** @type {T} */ (/** @type {unknown} */ ({ ...whole, rollouts: rolloutsOf(whole) }));
  return /** @type {T} */ (/** @type {unknown} */ (whole));
}

/**
 * The rollouts of the patches, one up to each layer, which the server computes.
 * @param {{maps: Link[], run?: string | null}} trace
 */
function rolloutsOf({ maps, run }) {
  const own = maps.filter(({ query, head }) => query === "source" && head === 0);
  return own.map((map) =>
    mapAt({ ...map, head: -1, address: `${run}/rollout/${map.layer}?kind=${map.kind}` }),
  );
}

/** The output and its runners-up. @param {AnyLarge} trace @returns {(Output | PictureOutput)[]} */
const outputsOf = (trace) => [trace, ...trace.runners_up];

/** @param {Link} link @returns {LinkedMap} */
const mapAt = (link) => /** @type {LinkedMap} */ ({ ...link, weights: NOTHING });

/** The trace with the maps that are loaded; the same one if no more and no fewer are. @template {AnyLarge} T @param {T} trace @returns {T} */
function withLoaded(trace) {
  /** @template {AttentionMap | PictureMap} M @param {M} map @returns {M} */
  const made = (map) => {
    if (!map.address) return map;
    const { weights = NOTHING, scores, queries, keys, values } = kept.get(map.address) ?? {};
    const same = map.weights === weights && map.scores === scores;
    return same ? map : { ...map, weights, scores, queries, keys, values };
  };
  /** @template {{maps: (AttentionMap | PictureMap)[]}} O @param {O} output @returns {O} */
  const filled = (output) => {
    const maps = output.maps.map(made);
    return maps.every((map, place) => map === output.maps[place]) ? output : { ...output, maps };
  };
  const all = /** @type {PatchTrace & {baseline?: any}} */ (/** @type {unknown} */ (filled(trace)));
  const runners_up = all.runners_up.map(filled);
  const rollouts = all.rollouts?.map(made);
  const baseline = all.baseline && filled(all.baseline);
  const changed =
    baseline !== all.baseline ||
    runners_up.some((output, place) => output !== all.runners_up[place]) ||
    rollouts?.some((map, place) => map !== all.rollouts?.[place]);
  const more = { ...(rollouts && { rollouts }), ...(baseline && { baseline }) };
  const whole = changed ? { ...all, runners_up, ...more } : all;
  return /** @type {T} */ (/** @type {unknown} */ (whole));
}

/**
 * The maps that settings show: one, or all heads of a layer that are pooled.
 * @param {AnyLarge} trace @param {PageSettings} settings @param {Model} model
 */
export function shown(trace, settings, model) {
  const all = outputsOf(trace);
  const output = all[Math.min(settings.pick, all.length - 1)];
  const { picked, pool } = largeOf(trace).picked(trace, output, settings, model);
  const ofLayer = output.maps.filter(
    (map) =>
      map.kind === picked?.kind &&
      map.layer === picked.layer &&
      (pool !== null || map.head === picked.head),
  );
  // The server merges the heads of a rollout. A head that came with its vectors has no address.
  const wanted = pool === "rollout" && picked ? [picked] : ofLayer;
  const maps = /** @type {LinkedMap[]} */ (wanted.filter(({ address }) => address));
  return { maps, pool };
}

/** The kinds whose traces may come without their maps. */
const KINDS = [tokens, grid, patches];

/** @param {AnyLarge} trace */
const kindOf = (trace) => KINDS.find(({ large }) => large?.owns(trace)) ?? tokens;

/** @param {AnyLarge} trace */
const largeOf = (trace) =>
  /** @type {import("./types").LargeKind<any, any>} */ (kindOf(trace).large);

/**
 * The trace with the maps that settings show; for the parts of a step, with scores and vectors.
 * @template {AnyLarge} T
 * @param {T} trace @param {PageSettings} settings @param {Model} model @param {AbortSignal} signal @returns {Promise<T>}
 */
export async function load(trace, settings, model, signal) {
  const { maps, pool } = shown(trace, settings, model);
  const { name, large } = kindOf(trace);
  const numbers = viewNamed(name, settings.view).parts && pool === null;
  if (large?.beside && settings.view === "compare")
    maps.push(...shown(trace, { ...settings, ...large.beside }, model).maps);
  if (/** @type {{editing?: unknown}} */ (settings).editing === "difference")
    maps.push(...before(trace, maps));
  await Promise.all(maps.map((map) => loadMap(map, numbers ?? false, signal)));
  for (const address of [...kept.keys()].slice(0, -Math.max(KEPT, maps.length)))
    kept.delete(address);
  return withLoaded(trace);
}

/** The same maps of the run without edits, if there is one. @param {AnyLarge} trace @param {LinkedMap[]} maps @returns {LinkedMap[]} */
function before(trace, maps) {
  const { baseline } = /** @type {{baseline?: any}} */ (trace);
  const all = /** @type {LinkedMap[]} */ (baseline?.maps ?? []);
  return all.filter(({ address, kind, layer, head }) =>
    maps.some((map) => address && map.kind === kind && map.layer === layer && map.head === head),
  );
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

/** @param {AnyLarge} trace @param {Output | PictureOutput} output @param {MapKind} kind */
const queryOf = (trace, output, kind) => {
  const pick = outputsOf(trace).findIndex(({ maps }) => maps === output.maps);
  return new URLSearchParams({ kind, pick: String(pick) });
};

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
 * The row of a token in every map of a kind, by the addresses of the maps.
 * @param {AnyLarge} trace @param {Output | PictureOutput} output @param {MapKind} kind @param {number} token @param {AbortSignal} signal
 * @returns {Promise<Map<string, number[]>>}
 */
export async function rowOfAll(trace, output, kind, token, signal) {
  const path = `${trace.run}/rows/${token}?${queryOf(trace, output, kind)}`;
  const response = await read(path, NPY, signal);
  const [rows] = matrices(await response.arrayBuffer(), 2);
  const maps = output.maps.filter((map) => map.kind === kind);
  return new Map(maps.map(({ address }, place) => [String(address), rows[place]]));
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

/** The trace with all its maps. Throws `ExportRefused` if a file cannot hold them. @template {AnyLarge} T @param {T} trace @returns {Promise<T>} */
export async function whole(trace) {
  const maps = /** @type {LinkedMap[]} */ (outputsOf(trace).flatMap(({ maps }) => maps));
  const count = maps.reduce((total, { rows, columns }) => total + rows * columns, 0);
  const { instead } = largeOf(trace);
  if (count > MOST_WEIGHTS)
    throw new ExportRefused(
      `This trace has ${Math.round(count / 1e6)} million weights, too many for a file made by the browser. ${instead}`,
    );
  return (await read(String(trace.run), JSON_MEDIA)).json();
}

/** The NumPy archive of the whole trace. @param {AnyLarge} trace */
export const archive = async (trace) => (await read(String(trace.run), "application/x-npz")).blob();
