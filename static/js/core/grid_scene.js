/** The scene of a trace of a picture, from the settings. Pure. */

/** @import {AttentionMap, GridAxis, Item, Model, Output, PictureOutput, PictureScene, PictureSettings, PictureTrace, Step} from "./types" */

import { entropy } from "./row_metrics.js";
import { bestHead } from "./scene.js";
import { choices, items, merge, pick as picking, rowOf } from "./trace.js";
import { fittingView } from "./views.js";
import { gridPartsOf } from "./step_parts.js";

/**
 * Settings that do not fit this trace fall back to the nearest that does, so that every address
 * shows something. Heads are merged where none was chosen: no single one shows it all.
 * @param {PictureTrace} trace @param {PictureSettings} settings @param {Model} model @returns {PictureScene}
 */
export function sceneOf(trace, settings, model) {
  const all = [trace, ...trace.runners_up];
  const pick = Math.min(settings.pick, all.length - 1);
  const output = all[pick];
  const found = cellChoices(output, settings, model);
  const { name: viewName, parts: showsParts } = fittingView("grid", settings.view, found);
  const apart = showsParts && output.steps.length > 0;
  const rows = items(output.target, apart ? "subwords" : "words");
  const cells = cellItems(trace.source);
  const parts = apart ? gridPartsOf(trace.model.order, found.picked?.kind === "drawn").length : 1;
  const weights = found.picked?.weights.length
    ? merge(found.picked.weights, rows, cells)
    : rows.map(() => cells.map(() => 0));
  return {
    trace,
    output,
    model,
    rows,
    weights,
    scores: found.picked?.scores ? picking(found.picked.scores, rows, cells) : null,
    asked: askedOf(trace, output, rows),
    row: settings.step === null ? sharpest(rows, weights, output) : rowOf(rows, settings.step),
    parts,
    part: Math.min(settings.part ?? parts - 1, parts - 1),
    viewName,
    style: settings.style,
    opacity: settings.opacity / 100,
    smoothing: settings.smoothing / 100,
    scale: settings.scale,
    ...found,
    pick,
    cells: settings.cells.filter((cell) => cell < cells.length),
    speed: settings.speed,
  };
}

/**
 * The choices among the maps from an output to the cells, given those made so far.
 * @param {PictureOutput} output @param {Pick<PictureSettings, "map" | "layer" | "head" | "pool">} settings @param {Model} model
 */
export function cellChoices(output, settings, model) {
  const maps = /** @type {AttentionMap[]} */ (
    output.maps.filter(({ query, key }) => query === "target" && key === "source")
  );
  const seen = /** @type {Output} */ ({ ...output, maps });
  const several = new Set(maps.map(({ head }) => head)).size > 1;
  const best = bestHead(model);
  const pooled = several && !best && settings.head === null && settings.pool === null;
  return choices(seen, pooled ? { ...settings, pool: "mean" } : settings, best);
}

/** The scene with the weights of another map. @param {PictureScene} scene @param {AttentionMap} map @returns {PictureScene} */
export function sceneOfMap(scene, map) {
  const cells = cellItems(scene.trace.source);
  return { ...scene, picked: map, weights: merge(map.weights, scene.rows, cells) };
}

/** The word with the lowest entropy and the highest gate: the one shown first. @param {Item[]} rows @param {number[][]} weights @param {PictureOutput} output */
function sharpest(rows, weights, output) {
  const least = Math.log2(weights[0]?.length || 1);
  const sharpness = rows.map(
    (row, place) => (least - entropy(weights[place])) * (gateIn(output, row) ?? 1),
  );
  return rows.reduce(
    (best, { special }, row) => (!special && sharpness[row] > sharpness[best] + 1e-9 ? row : best),
    0,
  );
}

/** @param {PictureOutput} output @param {Item | undefined} row */
function gateIn({ steps }, row) {
  const gates = (row?.tokens ?? []).flatMap((token) => steps[token]?.gate ?? []);
  return gates.length ? gates.reduce((sum, gate) => sum + gate, 0) / gates.length : null;
}

/** The cells, whose columns of a map come behind those of the marks. @param {GridAxis} axis @returns {Item[]} */
const cellItems = ({ rows, columns, marks }) =>
  Array.from({ length: rows * columns }, (_, cell) => ({
    text: "",
    start: 0,
    end: 0,
    special: false,
    tokens: [cell + (marks?.length ?? 0)],
  }));

/** The words of the question, if there is one, with the attention of each row to them. @param {PictureTrace} trace @param {PictureOutput} output @param {Item[]} rows */
function askedOf({ question }, { maps }, rows) {
  const map = maps.find(({ key }) => key === "question");
  if (!question) return null;
  const words = items(question, "words");
  return {
    words,
    text: question.text,
    weights: map ? merge(map.weights, rows, words) : rows.map(() => words.map(() => 0)),
  };
}

/** The steps that wrote a row, one for each of its tokens. @param {PictureScene} scene @param {number} row @returns {Step[]} */
export const stepsOf = ({ rows, output }, row) =>
  (rows[row]?.tokens ?? []).flatMap((token) => output.steps[token] ?? []);

/** β of a row, in the mean; null where the model has no gate. @param {PictureScene} scene @param {number} row */
export const gateOf = ({ output, rows }, row) => gateIn(output, rows[row]);

/** The cells that were drawn while the row was written. @param {PictureScene} scene @param {number} row */
export const drawnAt = (scene, row) => stepsOf(scene, row).flatMap(({ drawn }) => drawn ?? []);

/** The probability of the row, all its tokens together. @param {PictureScene} scene @param {number} row */
export function probabilityOf(scene, row) {
  const steps = stepsOf(scene, row);
  return steps.length ? steps.reduce((product, { probability }) => product * probability, 1) : null;
}

/**
 * The attention that each row pays to the cells together.
 * @param {number[][]} weights @param {number[]} cells
 */
export const attentionTo = (weights, cells) =>
  weights.map((row) => cells.reduce((sum, cell) => sum + (row[cell] ?? 0), 0));

/** The weight of the strongest colour: the largest of the row, or of all. @param {PictureScene} scene @param {number} row */
export const topOf = ({ weights, scale }, row) =>
  Math.max(
    ...(scale === "row" ? (weights[row] ?? [0]) : weights.map((each) => Math.max(...each))),
    1e-9,
  );
