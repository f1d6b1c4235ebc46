/** The sentences of the page about a trace of texts. Pure. */

/** @import {GlimpseScene, Item, MapScene, Scene, GraphScene, StoryScene, TokenAxis, Vector, Word} from "./types" */

import { isGiven } from "./decoding.js";
import { named, percent, weight } from "./text.js";
import { ofTape, skippedWords, stepsOf } from "./trace.js";

const ENOUGH = 0.95;
const WORTH_NAMING = 0.05;
const MOST_NAMED = 3;
const INK = /[^\p{M}\p{Z}\p{C}]/u;

const ORDERS = {
  before:
    "Attention comes before the update: the old state is the query, and the context goes into the new state (Bahdanau).",
  after:
    "Attention comes after the update: the new state is the query, and the context goes into the output (Luong).",
  fixed: "No attention: one vector, computed once, serves every step.",
  layers:
    "Every layer attends first to the output so far, then to the input; the state comes out of the last layer (Vaswani).",
};

/** @param {keyof typeof ORDERS} order */
export function orderOfAttention(order) {
  return ORDERS[order];
}

/**
 * The few columns that hold most of a row, strongest first.
 * @param {number[]} row
 */
export function strongest(row) {
  const order = row.map((_, index) => index).sort((a, b) => row[b] - row[a] || a - b);
  const chosen = [];
  let total = 0;
  for (const index of order.slice(0, MOST_NAMED)) {
    if (chosen.length && (total >= ENOUGH || row[index] < WORTH_NAMING)) break;
    chosen.push(index);
    total += row[index];
  }
  return chosen;
}

/** @param {string[]} parts */
export function listed(parts) {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** @param {number[]} row @param {Item[]} columns @param {[string, string]} [verb] */
function attending(row, columns, [does, to] = ["attending", "to"]) {
  const chosen = strongest(row);
  if (!chosen.length) return "";
  const parts = chosen.map((index) => `${named(columns[index])} (${weight(row[index])})`);
  const first = row[chosen[0]];
  if (first < 0.2 && columns.length > 4)
    return `, with its attention spread out, most of it on ${listed(parts)}`;
  return first > 0.98 ? `, ${does} ${to} ${parts[0]}` : `, ${does} mostly ${to} ${listed(parts)}`;
}

/**
 * The sentence of a row: what was written, its probability, and where the attention went.
 * @param {Scene} scene @param {number} row
 */
export function sentence(scene, row) {
  const { view, output } = scene;
  const item = view.rows[row];
  if (!item) return "";
  if (ofTape(scene.trace)) return readingSentence(scene, row);
  const place = `Step ${row + 1} of ${view.rows.length}`;
  const attention = view.weights
    ? attending(view.weights[row], view.columns)
    : ", from its one fixed vector";
  const steps = stepsOf(scene, row);
  if (!steps.length && view.rowAxis === "target") return `${place}: ${named(item)}${attention}.`;
  if (!steps.length)
    return `Position ${row + 1} of ${view.rows.length}${partNote(scene, row)}: ${named(item)}${attention}.`;
  const probability = percent(steps.reduce((product, step) => product * step.probability, 1));
  const did = isGiven(scene.trace, output)
    ? `given ${named(item)}`
    : item.special
      ? "ended the text"
      : `wrote ${named(item)}`;
  return `${place}: ${did} (probability ${probability})${attention}.`;
}

/** The sentence of a word that was read: its probability, and the words that it leans on. @param {Scene} scene @param {number} row */
function readingSentence(scene, row) {
  const { view } = scene;
  const chance = percent(
    stepsOf(scene, row).reduce((product, { probability }) => product * probability, 1),
  );
  const place = `Word ${row + 1} of ${view.rows.length}: ${named(view.rows[row])}`;
  const leaning = view.weights ? attending(view.weights[row], view.columns, ["leaning", "on"]) : "";
  return `${place} (probability ${chance})${leaning}.`;
}

/** True if the scene is that of a graph. @param {MapScene} scene @returns {scene is GraphScene} */
export const ofGraph = (scene) => scene.trace.source.kind === "graph";

/** The part of a prompt with its answer that a row belongs to. @param {Scene} scene @param {number} row */
function partNote({ trace, view, output }, row) {
  const { written } = trace.source;
  if (written === undefined || view.rowAxis !== "source") return "";
  const item = view.rows[row];
  if (!item.answer) return ", in the prompt";
  const steps = item.tokens.flatMap((token) => output.steps[token - written] ?? []);
  const chance = steps.reduce((product, { probability }) => product * probability, 1);
  return `, in the answer${steps.length ? ` (probability ${percent(chance)})` : ""}`;
}

/** True if the scene is that of a story. @param {MapScene} scene @returns {scene is StoryScene} */
export const ofStory = (scene) => scene.trace.source.kind === "sentences";

/** True if the scene is that of glimpses. @param {MapScene} scene @returns {scene is GlimpseScene} */
export const ofGlimpses = (scene) => scene.trace.target.kind === "glimpses";

/** The names of the two texts. @param {MapScene} scene */
export function lineNames(scene) {
  if (ofStory(scene)) return { row: "Hop", column: "Sentence" };
  if (ofGraph(scene)) return { row: "Node", column: "Neighbour" };
  if (ofGlimpses(scene)) return { row: "Glimpse", column: "Digit" };
  if (ofTape(scene.trace)) return { row: "Word", column: "Earlier word" };
  const { rowAxis, columnAxis } = scene.view;
  const { written, frame_seconds: seconds } = scene.trace.source;
  const input = written !== undefined ? "Prompt and answer" : seconds ? "Sound" : "Input";
  if (rowAxis === "source") return { row: `${input} (query)`, column: `${input} (key)` };
  const row = isGiven(scene.trace, scene.output) ? "Given output" : "Output";
  return { row, column: columnAxis === "decoder_input" ? "Earlier output" : input };
}

/** The words for rows, columns and their units in a sentence. @param {Scene} scene */
export function axisNames({ units, model, view }) {
  const text = units === "words" ? "word" : model.granularity.slice(0, -1);
  const piece = (/** @type {Item[]} */ items) => (items[0]?.sound ? "frame" : text);
  const [row, column] = [piece(view.rows), piece(view.columns)];
  return {
    row: `${view.rowAxis === "source" ? "input" : "output"} ${row}`,
    column: `${view.columnAxis === "source" ? "input" : "earlier output"} ${column}`,
    pieces: row === column ? row : `${row} or a ${column}`,
    reads: view.rowAxis === "source",
  };
}

/** What a list leaves out of a row of weights. @param {number} count @param {number} rest their sum */
export function othersNote(count, rest) {
  const sum = rest >= 0.0005 ? rest.toFixed(3) : "less than 0.001";
  return count === 1 ? `1 other has ${sum}` : `${count} others share ${sum}`;
}

/** The words of a text that the model ignored and those that were rare in training. @param {TokenAxis} axis */
export function readingNote(axis) {
  const ignored = few(skippedWords(axis).filter(({ text }) => INK.test(text)));
  const rare = few((axis.rare_words ?? []).map((place) => axis.words[place]));
  return [
    ignored && `Ignored (unknown to this model): ${ignored}.`,
    rare && `Rare in training, so the model may guess: ${rare}.`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** The first of some words by name, each once, and how many more there are. @param {Word[]} words */
export function few(words) {
  const all = [...new Set(words.map(named))];
  const more = all.length - MOST_NAMED;
  return listed([...all.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])]);
}

/** The statement about a model without attention. @param {number} size of its one vector; 0 if unknown */
export function noAttention(size) {
  const numbers = size ? `one vector of ${size} numbers` : "one vector";
  return `This model has no attention. It compresses the whole sentence into ${numbers} and never looks back at it.`;
}

/** The size of a vector, and how much of it is drawn. @param {Vector} vector */
export function vectorNote({ size, summary, norm }) {
  const drawn = summary.length < size ? `, drawn as ${summary.length} means` : "";
  const length = norm === null ? "" : `, length ${norm.toFixed(2)}`;
  return `${size} numbers${drawn}${length}`;
}

/** Why a trace has no steps to show part by part. @param {{output: {steps: unknown[]}}} scene */
export function noSteps({ output }) {
  return output.steps.length
    ? "Self-attention of the input happens all at once, so there are no steps to show. Choose another map or another view."
    : "This trace contains weights only: the numbers behind its steps were not saved with it.";
}
