/** A picture, about which a text is written: its cells as columns. Pure. */

/** @import {AttentionMap, Item, Model, Output, PhotoKind, PictureOutput, PictureScene, PictureSettings, PictureTrace} from "../types" */

import { isGiven } from "../decoding.js";
import { placeOf, rowAndColumn, strongestPlaces } from "../grid.js";
import { cellItems, drawnAt, gateIn, gateOf, lookOf, probabilityOf } from "../grid_scene.js";
import { nounsOf } from "../nouns.js";
import { entropy } from "../row_metrics.js";
import { bestHead } from "../best_head.js";
import { gridPartsOf } from "../step_parts.js";
import { named, percent } from "../text.js";
import {
  choices,
  differenceOfMaps,
  items,
  merge,
  pick as picking,
  pieceOf,
  rowOf,
} from "../trace.js";
import { fittingView } from "../views.js";

/** @type {PhotoKind<"grid">} */
export const grid = {
  name: "grid",
  photo: true,
  sceneOf,
  lines: () => ({ row: "Word", column: "Cell" }),
  sentence,
  number: "Attention",
  large: {
    owns: ({ task, source }) => source.kind === "grid" && task !== "see",
    picked: (_, output, settings, model) => cellChoices(output, settings, model),
    // The photo is shown beside those of other models, which differ in layers and heads.
    beside: { pick: 0, map: null, layer: null, head: null, pool: null },
    instead: "Request its NumPy arrays from the API instead.",
  },
  network: ({ question }) => (question ? "ask" : "captioner"),
};

/**
 * Settings that do not fit this trace fall back to the nearest that does, so that every address
 * shows something. Heads are merged where none was chosen: no single one shows it all.
 * @param {PictureTrace} trace @param {PictureSettings} settings @param {Model} model @returns {PictureScene}
 */
function sceneOf(trace, settings, model) {
  const all = [trace, ...trace.runners_up];
  const pick = Math.min(settings.pick, all.length - 1);
  const output = all[pick];
  const found = cellChoices(output, settings, model);
  const { name: viewName, parts: showsParts } = fittingView("grid", settings.view, found);
  const apart = showsParts && output.steps.length > 0;
  const rows = items(output.target, "words");
  const pieces = rows.map((row) => pieceOf(row, settings.step));
  // A step writes one token, and the numbers of a row are then its own.
  const counted = apart ? rows.map((row, place) => ({ ...row, tokens: [pieces[place]] })) : rows;
  const cells = cellItems(trace.source);
  const parts = apart ? gridPartsOf(trace.model.order, found.picked?.kind === "drawn").length : 1;
  const weights = found.picked?.weights.length
    ? merge(found.picked.weights, counted, cells)
    : rows.map(() => cells.map(() => 0));
  const differs = settings.editing === "difference" && pick === 0 && viewName === "photo";
  return {
    kind: grid,
    trace,
    output,
    difference: differs ? changed(trace, found.picked, settings, model, counted) : null,
    model,
    rows,
    pieces,
    weights,
    scores: found.picked?.scores ? picking(found.picked.scores, counted, cells) : null,
    asked: askedOf(trace, output, counted),
    row: settings.step === null ? sharpest(rows, weights, output) : rowOf(rows, settings.step),
    parts,
    part: Math.min(settings.part ?? parts - 1, parts - 1),
    viewName,
    ...lookOf(settings),
    ...found,
    pick,
    cells: settings.cells.filter((cell) => cell < cells.length),
  };
}

/**
 * The changes that the edits of a trace made to the map that is shown, up to the step at which the
 * texts part; null if it has none.
 * @param {PictureTrace} trace @param {AttentionMap | null} picked @param {PictureSettings} settings
 * @param {Model} model @param {Item[]} rows
 */
function changed({ baseline, source }, picked, settings, model, rows) {
  if (!baseline || !picked) return null;
  const before = cellChoices(/** @type {any} */ (baseline), settings, model).picked;
  if (!before?.weights.length) return null; // it may be loaded later
  const change = differenceOfMaps(picked, before, baseline.parts_at ?? Infinity);
  return merge(change.weights, rows, cellItems(source));
}

/**
 * The choices among the maps from an output to the cells, given those made so far.
 * @param {PictureOutput} output @param {Pick<PictureSettings, "map" | "layer" | "head" | "pool">} settings @param {Model} model
 */
function cellChoices(output, settings, model) {
  const maps = /** @type {AttentionMap[]} */ (
    output.maps.filter(({ query, key }) => query === "target" && key === "source")
  );
  const seen = /** @type {Output} */ ({ ...output, maps });
  const several = new Set(maps.map(({ head }) => head)).size > 1;
  const best = bestHead(model);
  const pooled = several && !best && settings.head === null && settings.pool === null;
  return choices(seen, pooled ? { ...settings, pool: "mean" } : settings, best);
}

/** The noun with the lowest entropy and the highest gate: the one shown first. @param {Item[]} rows @param {number[][]} weights @param {PictureOutput} output */
function sharpest(rows, weights, output) {
  const least = Math.log2(weights[0]?.length || 1);
  const sharpness = rows.map(
    (row, place) => (least - entropy(weights[place])) * (gateIn(output, row.tokens) ?? 1),
  );
  const written = rows.flatMap(({ special }, row) => (special ? [] : [row]));
  const nouns = nounsOf(written.map((row) => rows[row].text)).map((place) => written[place]);
  const among = nouns.length ? nouns : written;
  return among.reduce(
    (best, row) => (sharpness[row] > sharpness[best] + 1e-9 ? row : best),
    among[0] ?? 0,
  );
}

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

/**
 * The sentence of a row: what was written, its probability, where the attention went, and the gate.
 * @param {PictureScene} scene @param {number} row
 */
function sentence(scene, row) {
  const item = scene.rows[row];
  if (!item) return "";
  const chance = probabilityOf(scene, row);
  const probability = chance === null ? "" : ` (probability ${percent(chance)})`;
  const did = isGiven(scene.trace, scene.output)
    ? `given ${named(item)}`
    : item.special
      ? "ended the text"
      : `wrote ${named(item)}`;
  return `Step ${row + 1} of ${scene.rows.length}: ${did}${probability}, ${attending(scene, row)}.${extras(scene, row)}`;
}

/** @param {PictureScene} scene @param {number} row */
function attending({ trace, weights }, row) {
  const places = strongestPlaces(trace.source, weights[row]);
  return places ? `attending mostly to the ${places}` : "with its attention spread out";
}

/** @param {PictureScene} scene @param {number} row */
function extras(scene, row) {
  const [drawn, more] = drawnAt(scene, row);
  const cell =
    drawn && !more
      ? ` Cell drawn: ${rowAndColumn(scene.trace.source, drawn.cell)}, at the ${placeOf(scene.trace.source, drawn.cell)} (probability ${percent(Math.exp(drawn.log_probability))}).`
      : "";
  const gate = gateOf(scene, row);
  return `${cell}${gate === null ? "" : ` Gate β = ${gate.toFixed(2)}: how much the picture counted for this word.`}`;
}
