/** A photo whose patches attend to each other, as rows and as columns. Pure. */

/** @import {AttentionMap, GridAxis, Item, Model, PatchScene, PatchSettings, PatchTrace, PhotoKind, Pool} from "../types" */

import { markName, rowAndColumn, strongestPlaces, tokenName, tokenOf } from "../grid.js";
import { lookOf } from "../grid_scene.js";
import { changed } from "../map_scene.js";
import { selectedAmong } from "../selection.js";
import { PATCH_PARTS } from "../step_parts.js";
import { weight } from "../text.js";
import { choices, pooled, rowOf } from "../trace.js";
import { fittingView } from "../views.js";

/** @type {PhotoKind<"patches"> & Required<Pick<PhotoKind<"patches">, "arrays">>} */
export const patches = {
  name: "patches",
  photo: true,
  sceneOf,
  arrays,
  lines: () => ({ row: "Token (query)", column: "Token (key)" }),
  sentence,
  number: "Attention",
  large: {
    owns: ({ task }) => task === "see",
    picked: (trace, _, settings, model) => sceneOf(trace, settings, model),
    rollouts: true,
    instead: "Request its NumPy arrays from the API instead.",
  },
  rowOfCell: ({ trace }, cell) => tokenOf(trace.source, cell),
};

/** @type {Pool} */
const ROLLOUT = "rollout";

/** Merged heads by trace: a rollout multiplies matrices. @type {WeakMap<object, Map<string, AttentionMap>>} */
const merged = new WeakMap();

/**
 * Settings that do not fit this trace fall back to the nearest that does. Without a head, the
 * rollout of all layers is shown; without a step, the class token.
 * @param {PatchTrace} trace @param {PatchSettings} settings @param {Model} model @returns {PatchScene}
 */
function sceneOf(trace, settings, model) {
  const maps = trace.maps.filter(({ query, key }) => query === "source" && key === "source");
  const seen = { maps: /** @type {AttentionMap[]} */ (maps) };
  const found = choices(seen, { ...settings, map: null, pool: null });
  // The server computes the rollout of a trace that came without its maps.
  const offered = trace.rollouts && found.layers.length > 1 ? [ROLLOUT] : [];
  const single = { ...found, pools: [...found.pools, ...offered] };
  const { name: viewName, parts: showsParts } = fittingView("patches", settings.view, single);
  // A step is that of one head.
  const wanted = settings.pool ?? (settings.head === null && !showsParts ? ROLLOUT : null);
  const pool = wanted && single.pools.includes(wanted) ? wanted : null;
  const picked =
    pool && single.picked ? mergedOf(trace, seen.maps, single.picked.layer, pool) : single.picked;
  const rows = tokenItems(trace.source);
  const parts = showsParts ? PATCH_PARTS.length : 1;
  const marks = trace.source.marks?.length ?? 0;
  const weights = picked?.weights.map((row) => row.slice(marks)) ?? [];
  // Each run has a rollout of its own edits, which no single map of it was given.
  const differs = settings.editing === "difference" && pool !== ROLLOUT;
  const difference = differs ? changed(trace, { picked, pool }) : null;
  return {
    kind: patches,
    trace,
    output: { ...trace, steps: [] },
    model,
    ...single,
    pool,
    picked,
    rows,
    pieces: rows.map((_, row) => row),
    cells: [],
    weights,
    difference: difference?.map((row) => row.slice(marks)) ?? null,
    scores: picked?.scores?.map((row) => row.slice(marks)) ?? null,
    asked: null,
    view: {
      rows,
      columns: rows,
      rowAxis: "source",
      columnAxis: "source",
      rowText: trace.text,
      columnText: trace.text,
      weights: picked?.weights ?? null,
      scores: picked?.scores ?? null,
      ...(difference && { difference }),
    },
    selection: {
      rows: selectedAmong(rows, settings.rows),
      columns: selectedAmong(rows, settings.columns),
    },
    units: "words",
    mergeable: false,
    row: rowOf(rows, settings.step ?? 0),
    parts,
    part: Math.min(settings.part ?? parts - 1, parts - 1),
    viewName,
    ...lookOf(settings),
    log: settings.log,
    pick: 0,
    show: settings.show,
  };
}

/** Several heads as one map, merged once. @param {PatchTrace} trace @param {AttentionMap[]} maps @param {number} layer @param {Pool} pool */
function mergedOf(trace, maps, layer, pool) {
  const rollout = trace.rollouts?.find((map) => map.layer === layer);
  if (rollout && pool === ROLLOUT) return rollout;
  const known = merged.get(trace) ?? /** @type {Map<string, AttentionMap>} */ (new Map());
  merged.set(trace, known);
  const key = `${pool} ${layer}`;
  const found = known.get(key) ?? pooled(maps, layer, pool);
  if (found.weights.length) known.set(key, found); // none before its heads are loaded
  return found;
}

/** The marks, then the patches, as rows and columns. @param {GridAxis} axis @returns {Item[]} */
function tokenItems(axis) {
  const marks = axis.marks ?? [];
  return Array.from({ length: marks.length + axis.rows * axis.columns }, (_, token) => ({
    text: token < marks.length ? markName(marks[token]) : short(axis, token - marks.length),
    start: 0,
    end: 0,
    special: token < marks.length,
    tokens: [token],
  }));
}

/** The sentence of a query: where it looks. @param {PatchScene} scene @param {number} row */
function sentence(scene, row) {
  const { trace, weights, view, pool } = scene;
  const own = weights[row];
  if (!own) return "";
  const name = tokenName(trace.source, row).replace(/^./, (letter) => letter.toUpperCase());
  const does = pool === "rollout" ? "looks, through the layers," : "attends";
  const itself = view.weights?.[row][row] ?? 0;
  const rest = ` To itself: ${weight(itself)}.`;
  return `${name} ${does} ${attending(trace.source, own)}.${rest}`;
}

/** @param {GridAxis} axis @param {number[]} own the weights of the patches */
function attending(axis, own) {
  const places = strongestPlaces(axis, own);
  return places ? `mostly to the ${places}` : "all over the photo";
}

/** Row and column as in a table. @param {GridAxis} axis @param {number} patch */
const short = ({ columns }, patch) => `${Math.floor(patch / columns) + 1}.${(patch % columns) + 1}`;

/** True if the map lacks the numbers of its steps, which the server computes for one head at a time. @param {AttentionMap | null} map */
export const lacksVectors = (map) => Boolean(map && !(map.scores && map.queries));

/** A patch under the pointer, as a key of a query. @param {PatchScene} scene @param {number} row @param {number} patch */
export function patchNote({ trace: { source }, weights, scores }, row, patch) {
  const score = scores?.[row]?.[patch];
  const numbers = [
    `α ${(weights[row]?.[patch] ?? 0).toFixed(4)}`,
    typeof score === "number" ? `e ${score.toFixed(2)}` : "",
  ];
  return `${rowAndColumn(source, patch)}: ${numbers.filter(Boolean).join(", ")} for the ${tokenName(source, row)}`;
}

/** All maps as arrays for NumPy: `weights` by layer, head, query and key. @param {PatchScene} scene */
function arrays({ trace, layers, heads, rows }) {
  const maps = layers.flatMap((layer) =>
    heads.map((head) =>
      trace.maps.find((map) => map.query === "source" && map.layer === layer && map.head === head),
    ),
  );
  const names = rows.map(({ text }) => text);
  return {
    weights: {
      shape: [layers.length, heads.length, rows.length, rows.length],
      data: maps.flatMap((map) => map?.weights.flat() ?? []),
    },
    source: { shape: [rows.length], data: names },
    target: { shape: [rows.length], data: names },
  };
}
