/** The scene of a photo whose patches attend to each other, from the settings. Pure. */

/** @import {AttentionMap, GridAxis, Item, Model, PatchScene, PatchSettings, PatchTrace, Pool} from "./types" */

import { fittingView } from "./views.js";
import { PATCH_PARTS } from "./step_parts.js";
import { massByPlace, rowAndColumn } from "./grid.js";
import { entropy } from "./row_metrics.js";
import { selectedAmong } from "./selection.js";
import { weight } from "./text.js";
import { choices, pooled, rowOf } from "./trace.js";

const WORTH_NAMING = 0.15;
const MOST_NAMED = 2;
/** Attention counts as spread out where no part of nine has more, or the entropy is nearly maximal. */
const SPREAD_OUT = { part: 0.25, spread: 0.95 };

/** @type {Pool} */
const ROLLOUT = "rollout";

/** Merged heads by trace: a rollout multiplies matrices. @type {WeakMap<object, Map<string, AttentionMap>>} */
const merged = new WeakMap();

/**
 * Settings that do not fit this trace fall back to the nearest that does. Without a head, the
 * rollout of all layers is shown; without a step, the class token.
 * @param {PatchTrace} trace @param {PatchSettings} settings @param {Model} model @returns {PatchScene}
 */
export function patchSceneOf(trace, settings, model) {
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
  return {
    trace,
    output: { ...trace, steps: [] },
    model,
    ...single,
    pool,
    picked,
    rows,
    cells: [],
    weights,
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
    style: settings.style,
    opacity: settings.opacity / 100,
    smoothing: settings.smoothing / 100,
    scale: settings.scale,
    log: settings.log,
    pick: 0,
    speed: settings.speed,
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

/** The patch of a token; null for a mark. @param {GridAxis} axis @param {number} token */
export const patchOf = ({ marks }, token) => {
  const patch = token - (marks?.length ?? 0);
  return patch < 0 ? null : patch;
};

/** The token of a patch. @param {GridAxis} axis @param {number} patch */
export const tokenOf = ({ marks }, patch) => patch + (marks?.length ?? 0);

/** The name of a token in a sentence. @param {GridAxis} axis @param {number} token */
export function tokenName(axis, token) {
  const patch = patchOf(axis, token);
  if (patch !== null) return `patch in ${rowAndColumn(axis, patch)}`;
  return markName(axis.marks?.[token] ?? "");
}

/** @param {string} mark */
const markName = (mark) => (mark === "[CLS]" ? "class token" : mark.replace(/[[\]<>]/g, ""));

/** Row and column as in a table. @param {GridAxis} axis @param {number} patch */
const short = ({ columns }, patch) => `${Math.floor(patch / columns) + 1}.${(patch % columns) + 1}`;

/** The sentence of a query: where it looks. @param {PatchScene} scene @param {number} row */
export function patchSentence(scene, row) {
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
  const mass = massByPlace(axis, own);
  const total = own.reduce((sum, value) => sum + value, 0) || 1;
  const shares = own.map((value) => value / total);
  const spread = entropy(shares) / Math.log2(own.length);
  if (mass[0].weight / total < SPREAD_OUT.part || spread > SPREAD_OUT.spread)
    return "all over the photo";
  const chosen = mass
    .slice(0, MOST_NAMED)
    .filter((each, index) => index === 0 || each.weight >= WORTH_NAMING);
  return `mostly to the ${chosen.map((each) => `${each.place} (${weight(each.weight)})`).join(" and the ")}`;
}

/** A patch under the pointer, as a key of a query. @param {PatchScene} scene @param {number} row @param {number} patch */
export function patchNote({ trace: { source }, weights, scores }, row, patch) {
  const score = scores?.[row]?.[patch];
  const numbers = [
    `α ${(weights[row]?.[patch] ?? 0).toFixed(4)}`,
    typeof score === "number" ? `e ${score.toFixed(2)}` : "",
  ];
  return `${rowAndColumn(source, patch)}: ${numbers.filter(Boolean).join(", ")} for the ${tokenName(source, row)}`;
}
