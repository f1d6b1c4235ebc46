/** Several models on one input: the models that can be compared, and their measures. Pure. */

/** @import {Edit, Item, Model, ModelOrder, Output, Palette, PictureScene, PictureSettings, Scene, Trace, View} from "../../core/types" */

import { withoutRows } from "../../core/given_row.js";
import { differenceOf } from "../../core/heatmap.js";
import { entropy } from "../../core/row_metrics.js";
import { percent } from "../../core/text.js";

const LETTER = /[\p{L}\p{N}]/u;

export const NOT_YET = "The other models have not answered yet. Try again in a moment.";

/** The scene behind each card, for edits. @type {WeakMap<object, Scene | PictureScene>} */
export const sceneOfCard = new WeakMap();

/** The models that run under the edits, in a sentence; empty without edits. @param {readonly Edit[]} edits @param {Model} first the model of the page */
export function editedNote(edits, first) {
  if (!edits.length) return "";
  return withoutRows(edits).length < edits.length
    ? `Every model runs under the same edits, but a row that was given is only that of “${shortName(first)}”.`
    : "Every model runs under the same edits.";
}

/** The name of a model without the part that it shares with related models. @param {Model} model */
export function shortName({ name }) {
  return name.split(", ").slice(1).join(", ") || name;
}

/**
 * The chosen models; by default the one without attention, because it shows what attention is for,
 * or beside that one, and to edit, the first with attention.
 * @param {string[]} chosen @param {Model[]} others @param {Model} model @param {boolean} edits
 */
export function chosenOf(chosen, others, model, edits) {
  const found = others.filter(({ id }) => chosen.includes(id));
  if (found.length) return found;
  const without = model.mechanism === "none" || edits ? [] : others.filter(isBlind);
  return (without.length ? without : others.filter((other) => !isBlind(other))).slice(0, 1);
}

/** @param {Model} model */
const isBlind = ({ mechanism }) => mechanism === "none";

/**
 * The place of the model that the others are compared with: the first with attention.
 * @param {Model[]} models
 */
export const referenceOf = (models) =>
  Math.max(
    0,
    models.findIndex((model) => !isBlind(model)),
  );

/** The score of a model as a formula, or what it has instead. @param {Model} model */
export function formulaOf({ mechanism, formula, heads }) {
  if (mechanism === "none") return "cₜ = c, the same vector at every step";
  if (mechanism === "multihead") return `e = q·k / √d, in each of ${heads} heads`;
  return formula ? `e = ${formula}` : "";
}

/** The key of a word, the same for all spellings. @param {Item} item */
export const wordKey = (item) => (item.special ? item.text : item.text.trim().toLowerCase());

/**
 * The words of the base that a text does not have, as often as they are missing.
 * @param {Item[]} items @param {Item[]} base
 */
export function lostWords(items, base) {
  const left = new Set(countedKeys(items));
  const keys = countedKeys(base);
  return base.flatMap((item, index) =>
    !item.special && LETTER.test(item.text) && !left.has(keys[index])
      ? [{ item, key: keys[index] }]
      : [],
  );
}

/** The keys of words with a count, so that the second "the" of one text matches that of another. @param {Item[]} items */
export function countedKeys(items) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  return items.map((item) => {
    const key = wordKey(item);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return `${key} ${count}`;
  });
}

/** @typedef {{weights: number[][] | null, model: Pick<Model, "quality">, output: Pick<Output, "steps" | "log_probability">, trace: Pick<Trace, "timing">}} Measured */

/** The measured quality that models of a task have in common; the first one counts. */
const QUALITY = /^(?:(.+)_)?(bleu(?:_4)?|exact_match)$/;

/** The quality of a model on held-out data: its name, and its value; null if it was not measured. @param {Pick<Model, "quality">} model */
export function qualityOf({ quality }) {
  for (const [key, value] of Object.entries(quality)) {
    const [, , name] = QUALITY.exec(key) ?? [];
    if (name === "exact_match") return { key, name: "exact", value: 100 * value };
    if (name) return { key, name: name.toUpperCase().replace("_", "-"), value };
  }
  return null;
}

/** The measures of a model: mean entropy, mean probability of a token, quality, and time. @param {Measured} measured */
export function measures({ weights, model, output, trace }) {
  const rows = weights ?? [];
  const steps = output.steps.length;
  return {
    entropy: rows.length
      ? rows.reduce((total, row) => total + entropy(row), 0) / rows.length
      : null,
    probability: steps ? Math.exp(output.log_probability / steps) : null,
    quality: qualityOf(model)?.value ?? null,
    milliseconds: trace.timing.encode_ms + trace.timing.decode_ms,
  };
}

/** @typedef {ReturnType<typeof measures>} Measures */

/** The measures as text. @param {Measured} scene @param {Measures} [values] @returns {{name: keyof Measures, term: string, value: string, means: string}[]} */
export function measured(scene, values = measures(scene)) {
  const { entropy, probability, milliseconds } = values;
  const quality = qualityOf(scene.model);
  return [
    {
      name: "entropy",
      term: "entropy",
      value: entropy === null ? "–" : `${entropy.toFixed(2)} bits`,
      means: "How spread out a row of weights is, on average: 0 where it looks at one place only",
    },
    {
      name: "probability",
      term: "probability",
      value: probability === null ? "–" : percent(probability),
      means: "Of a piece, in the geometric mean",
    },
    ...(quality
      ? [
          {
            name: /** @type {const} */ ("quality"),
            term: quality.name,
            value:
              quality.name === "exact" ? `${quality.value.toFixed(1)} %` : quality.value.toFixed(1),
            means: `Measured on held-out data (${quality.key})`,
          },
        ]
      : []),
    {
      name: "milliseconds",
      term: "time",
      value: `${milliseconds.toFixed(0)} ms`,
      means: "In the model alone",
    },
  ];
}

/**
 * The places of models in an order: the best or most concentrated first, and last those that lack
 * the measure.
 * @param {(Measures | null)[]} all @param {ModelOrder} order
 */
export function ordered(all, order) {
  const places = all.map((_, place) => place);
  if (order === "chosen") return places;
  const worth = (/** @type {number} */ place) => {
    const value = all[place]?.[order] ?? null;
    if (value === null) return -Infinity;
    return order === "entropy" ? -value : value;
  };
  return places.sort((one, other) => worth(other) - worth(one) || one - other);
}

/** The settings for every captioner: they differ in layers and heads. @param {PictureSettings} settings @returns {PictureSettings} */
export const beside = (settings) => ({
  ...settings,
  pick: 0,
  map: null,
  layer: null,
  head: null,
  pool: null,
});

/** The words of an output, with the spaces between them. @param {Item[]} rows */
export function spaced(rows) {
  return rows.flatMap((row, index) =>
    row.special ? [] : [{ row, index, space: index > 0 && row.start > rows[index - 1].end }],
  );
}

/** Returns true for a cell of two words: the stop token takes weights that would outshine theirs. @param {View} view */
export const markless =
  ({ rows, columns }) =>
  (/** @type {number} */ row, /** @type {number} */ column) =>
    !rows[row].special && !columns[column].special;

/**
 * The difference of two maps; null if their rows or columns differ.
 * @param {View} one @param {View} other @returns {number[][] | null}
 */
export function difference(one, other) {
  const shape = (/** @type {View} */ { rows, columns }) =>
    JSON.stringify([rows.map(wordKey), columns.map(wordKey)]);
  if (!one.weights || !other.weights || shape(one) !== shape(other)) return null;
  const { weights } = other;
  return one.weights.map((row, i) => row.map((weight, j) => weight - weights[i][j]));
}

/** Differences of maps, painted on one scale. @param {(View | null)[]} views @param {Palette} palette */
export function differences(views, palette) {
  const heat = (/** @type {View | null} */ view, /** @type {number} */ least) =>
    view?.weights ? differenceOf(view.weights, palette, markless(view), least) : null;
  const most = Math.max(0.01, ...views.map((view) => heat(view, 0.01)?.most ?? 0));
  return views.map((view) => heat(view, most));
}
