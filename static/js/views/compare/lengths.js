/** BLEU over the length of the source, as Bahdanau et al. (2015) drew it: the chart as numbers. Pure. */

/** @import {Model} from "../../core/types" */

import { shortName } from "./model.js";

const FIGURE = /^bleu_up_to_(\d+)_words$/;
/** Lines of labels at the ends of the curves. */
const LABEL_HEIGHT = 16;
const STEP = 20;

/** @typedef {{from: number, to: number, bleu: number}} LengthFigure BLEU on sources of `from` to `to` words */

/** The measured figures of a model, shortest sources first. @param {Pick<Model, "quality">} model @returns {LengthFigure[]} */
export function bleuByLength({ quality }) {
  const found = Object.entries(quality)
    .flatMap(([name, bleu]) => {
      const limit = FIGURE.exec(name)?.[1];
      return limit === undefined ? [] : [{ to: Number(limit), bleu }];
    })
    .sort((a, b) => a.to - b.to);
  return found.map(({ to, bleu }, index) => ({ from: (found[index - 1]?.to ?? 0) + 1, to, bleu }));
}

/**
 * @typedef {object} Point
 * @property {number} x @property {number} y @property {LengthFigure} figure
 *
 * @typedef {object} Curve
 * @property {Model} model @property {string} name @property {Point[]} points
 * @property {number} label the height of its name, so that no two names meet
 *
 * @typedef {object} LengthChart
 * @property {number} width @property {number} height of the field of the curves
 * @property {Curve[]} curves @property {{x: number, text: string}[]} lengths @property {{y: number, text: string}[]} scores
 * @property {number | null} current the place of the sentence on screen
 */

/**
 * The chart of the models that were measured; null if there are fewer than two.
 * @param {Model[]} models @param {number} words of the sentence on screen
 * @param {{width: number, height: number}} size @returns {LengthChart | null}
 */
export function lengthChart(models, words, { width, height }) {
  const measured = models
    .map((model) => ({ model, figures: bleuByLength(model) }))
    .filter(({ figures }) => figures.length > 1);
  if (measured.length < 2) return null;
  const all = measured.flatMap(({ figures }) => figures);
  const longest = Math.max(...all.map(({ to }) => to));
  const highest = Math.ceil(Math.max(...all.map(({ bleu }) => bleu)) / STEP) * STEP;
  const x = (/** @type {number} */ length) => (length / longest) * width;
  const y = (/** @type {number} */ bleu) => height - (bleu / highest) * height;
  const curves = measured.map(({ model, figures }) => ({
    model,
    name: shortName(model),
    points: figures.map((figure) => ({
      x: x((figure.from - 1 + figure.to) / 2),
      y: y(figure.bleu),
      figure,
    })),
    label: 0,
  }));
  spread(curves, height);
  const longer = measured.reduce((a, b) => (b.figures.length > a.figures.length ? b : a)).figures;
  return {
    width,
    height,
    curves,
    lengths: longer.map(({ from, to }) => ({ x: x((from - 1 + to) / 2), text: `${from}–${to}` })),
    scores: Array.from({ length: highest / STEP + 1 }, (_, index) => ({
      y: y(index * STEP),
      text: String(index * STEP),
    })),
    current: words > 0 && words <= longest ? x(words - 0.5) : null,
  };
}

/** Moves the names at the ends of the curves apart. @param {Curve[]} curves @param {number} height */
function spread(curves, height) {
  const order = curves.toSorted((a, b) => end(a) - end(b));
  let free = -Infinity;
  for (const curve of order) {
    curve.label = Math.max(end(curve), free);
    free = curve.label + LABEL_HEIGHT;
  }
  // Pushed below the field, they move up together.
  let limit = height;
  for (const curve of order.toReversed()) {
    curve.label = Math.min(curve.label, limit);
    limit = curve.label - LABEL_HEIGHT;
  }
}

/** @param {Curve} curve */
const end = ({ points }) => points[points.length - 1].y;

/** The figures in words. @param {Curve} curve */
export const described = ({ name, points }) =>
  `${name}: ${points.map(({ figure: { from, to, bleu } }) => `${bleu.toFixed(1)} for ${from} to ${to} words`).join(", ")}`;
