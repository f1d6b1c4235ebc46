/** What the page says in words. Pure. */

/** @import {Item, Scene, TokenAxis, Word} from "./types" */

import { stepsOf } from "./scene.js";
import { named, percent, weight } from "./text.js";
import { unread } from "./trace.js";

const ENOUGH = 0.95;
const WORTH_NAMING = 0.05;
const MOST_NAMED = 3;
const INK = /[^\p{M}\p{Z}\p{C}]/u;

const ORDERS = {
  before: "It looks before it moves: the old state asks, the answer goes into the new state (Bahdanau).",
  after: "It moves before it looks: the new state asks, the answer goes into the output (Luong).",
  fixed: "It never looks: one vector, made once, serves every step.",
  layers: "Every layer looks, first back at what was written, then at what was read; the state comes out of the last (Vaswani).",
};

/** @param {keyof typeof ORDERS} order */
export function orderOfAttention(order) {
  return ORDERS[order];
}

/**
 * The few places that hold most of a row, strongest first.
 * @param {number[]} row
 */
export function strongest(row) {
  const order = row.map((_, index) => index).sort((a, b) => row[b] - row[a] || a - b);
  const chosen = [];
  let held = 0;
  for (const index of order.slice(0, MOST_NAMED)) {
    if (chosen.length && (held >= ENOUGH || row[index] < WORTH_NAMING)) break;
    chosen.push(index);
    held += row[index];
  }
  return chosen;
}

/** @param {string[]} parts */
function listed(parts) {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** @param {number[]} row @param {Item[]} columns */
function looking(row, columns) {
  const chosen = strongest(row);
  if (!chosen.length) return "";
  const parts = chosen.map((index) => `${named(columns[index])} (${weight(row[index])})`);
  const first = row[chosen[0]];
  if (first < 0.2 && columns.length > 4) return `, looking all over, most at ${listed(parts)}`;
  return first > 0.98 ? `, looking at ${parts[0]}` : `, looking mostly at ${listed(parts)}`;
}

/**
 * The sentence of a row: what was written, how surely, and where the model looked meanwhile.
 * @param {Scene} scene @param {number} row
 */
export function sentence(scene, row) {
  const { view, output } = scene;
  const item = view.rows[row];
  if (!item) return "";
  const place = `Step ${row + 1} of ${view.rows.length}`;
  const looks = view.weights ? looking(view.weights[row], view.columns) : ", from its one fixed vector";
  const steps = stepsOf(scene, row);
  if (!steps.length && view.rowAxis === "target") return `${place}: ${named(item)}${looks}.`;
  if (!steps.length) return `Place ${row + 1} of ${view.rows.length}: read ${named(item)}${looks}.`;
  const chance = percent(steps.reduce((product, step) => product * step.probability, 1));
  if (output.finish === "forced") return `${place}: given ${named(item)}, which it held ${chance} likely${looks}.`;
  const did = item.special ? "ended the text" : `wrote ${named(item)}`;
  return `${place}: ${did} (${chance})${looks}.`;
}

/** @param {Scene} scene what the two strings are called */
export function lineNames(scene) {
  const { rowAxis, columnAxis } = scene.view;
  const row = rowAxis === "source" ? "For" : scene.output.finish === "forced" ? "Given" : "Wrote";
  const column = columnAxis === "decoder_input" ? "Looked back at" : rowAxis === "source" ? "Looked at" : "Read";
  return { row, column };
}

/** What of a text was passed over, and what is hardly known of it, if anything. @param {TokenAxis} axis */
export function readingNote(axis) {
  const passed = few(unread(axis).filter(({ text }) => INK.test(text)));
  const rare_words = few((axis.rare_words ?? []).map((place) => axis.words[place]));
  return [
    passed && `Passed over, for this model has never met it: ${passed}.`,
    rare_words && `Hardly met while it learned, and so guessed at or copied: ${rare_words}.`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** The first of some words by name, each once, and how many more there are. @param {Word[]} words */
function few(words) {
  const all = [...new Set(words.map(named))];
  const more = all.length - MOST_NAMED;
  return listed([...all.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])]);
}

/** @param {number} size in words, for the statement about a model without attention */
export function noAttention(size) {
  const numbers = size ? `one vector of ${size} numbers` : "one vector";
  return `This model has no attention. It squeezed the whole sentence into ${numbers} and never looks back.`;
}

/** How large a vector is, and how much of it is drawn. @param {import("./types").Vector} vector */
export function vectorNote({ size, summary, norm }) {
  const drawn = summary.length < size ? `, drawn as ${summary.length} means` : "";
  const length = norm === null ? "" : `, length ${norm.toFixed(2)}`;
  return `${size} numbers${drawn}${length}`;
}

/** Why no step can be taken apart. @param {Scene} scene */
export function noSteps({ output }) {
  return output.steps.length
    ? "What was read looks at itself all at once: there are no steps to take apart. Choose another map, or another view."
    : "This trace holds weights alone: the numbers behind its steps did not come with it.";
}

/** @param {Scene} scene how to read the map, in one line */
export function mapNote({ units, model, view, viewName, held }) {
  const piece = units === "words" ? "word" : model.granularity.slice(0, -1);
  const rows = view.rowAxis === "source" ? "read" : "written";
  const columns = view.columnAxis === "source" ? "read" : "written so far";
  if (viewName === "step") return `One ${view.rowAxis === "source" ? "token read" : "step"}, number by number, in the order in which it comes about. Back and forth go from part to part; point at a symbol for its value.`;
  if (viewName === "heads") return "Every head of every layer, with how spread out it looks. Press one to open it.";
  if (viewName === "lines") {
    return `As wide as its weight, a line runs from each ${piece} ${rows} to where it looked; what arrives at a ${piece} is its coverage.`;
  }
  if (held.rows.length || held.columns.length) return heldNote(view, held);
  return `A row for each ${piece} ${rows}; the stronger the colour, the more of its attention goes to what was ${columns} there.`;
}

/** What is held, and where its sums stand. @param {Scene["view"]} view @param {Scene["held"]} held */
function heldNote(view, held) {
  const names = (/** @type {Item[]} */ items, /** @type {number[]} */ at) => listed(at.map((index) => named(items[index])));
  const parts = [
    held.columns.length && `${names(view.columns, held.columns)}; at the side stands what each row gives to ${held.columns.length > 1 ? "them" : "it"}`,
    held.rows.length && `the ${held.rows.length > 1 ? "rows" : "row"} of ${names(view.rows, held.rows)}; below stands what each column gets`,
  ];
  return `Held: ${parts.filter(Boolean).join(". Held: ")}. Escape lets go.`;
}
