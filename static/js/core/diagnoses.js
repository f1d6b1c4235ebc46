/**
 * Answers to “Why does it look like this?”: rules over a trace, each a pure function that states a
 * fact about the map on screen, with the cells that show it. Those of `faults.js` judge the output.
 */

/** @import {Item, Model, Output, Scene} from "./types" */
/** @import {Cell, Finding, Shown} from "./finding.js" */

import { alignments } from "./alignment.js";
import { cellPlace, mapPlace, placesOf, rowPlace } from "./edit_list.js";
import { repeated, untranslated } from "./faults.js";
import { arxiv, attempt, top } from "./finding.js";
import { linksShown } from "./gold_links.js";
import { foreignLanguage } from "./language_guess.js";
import { entropy } from "./row_metrics.js";
import { named, percent, weight } from "./text.js";
import { stepsOf } from "./trace.js";
import { few, listed } from "./word_notes.js";

/** Mean weight on a key without a word, from which it is a sink. */
const SINK = 0.3;
/** Share of the largest possible entropy, from which a row is nearly uniform. */
const UNIFORM = 0.9;
/** Share of the weight within one key of the diagonal. */
const DIAGONAL = 0.8;
/** Rows with the same strongest key, and the weight that it has in each. */
const STUCK = { rows: 3, weight: 0.5 };
/** Rows, or columns, with which a map has a shape. */
const LEAST = 5;
/** Links with which a drift is more than chance. */
const LEAST_LINKS = 4;
/** Probability below which a word is called unlikely. */
const UNLIKELY = 0.2;
/** The gate, below which a photo counts little; weight in the middle quarter of a photo. */
const CLOSED = 0.3;
const CENTRE = 0.5;

/** The mean of numbers. @param {number[]} values */
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Every cell of a column. @param {Shown} shown @param {number} column @returns {Cell[]} */
const columnCells = ({ rows }, column) => rows.map((_, row) => ({ row, column }));

/** @param {Shown} shown @returns {Finding | null} */
export function sink(shown) {
  const { scene, weights, columns } = shown;
  const own = scene.picked?.kind !== "cross";
  const marks = columns.flatMap(({ special }, at) => (special || (own && at === 0) ? [at] : []));
  // A row with one key has no choice; the row of the end belongs at the end.
  const rows = weights.filter(
    (row, at) => !shown.rows[at].special && row.filter((value) => value > 0).length > 1,
  );
  if (rows.length < 3) return null;
  const found = marks
    .map((column) => ({ column, share: mean(rows.map((row) => row[column])) }))
    .reduce((most, each) => (each.share > most.share ? each : most), { column: -1, share: SINK });
  if (found.column === -1) return null;
  const { column, share } = found;
  const name = named(columns[column]);
  return {
    id: "sink",
    title: "A sink",
    says: `${name} gets ${percent(share)} of a row on average.`,
    because: `The weights of a row must add up to 1. A head that has nothing to find puts them where they do little harm: on a mark, or on the first token. A large weight here says nothing about ${columns[column].special ? "a word" : "this word"}.`,
    source: arxiv("Xiao et al. 2024, attention sinks", "2309.17453"),
    cells: columnCells(shown, column),
    attempt: attempt(shown, () => ({
      op: "block",
      ...mapPlace(scene, "head"),
      keys: placesOf(columns[column].tokens),
    })),
  };
}

/** @param {Shown} shown @returns {Finding | null} */
export function nearUniform(shown) {
  const { scene, weights, rows } = shown;
  const even = weights.flatMap((row, at) => {
    const keys = row.filter((value) => value > 0).length;
    return keys >= LEAST && entropy(row) >= UNIFORM * Math.log2(keys) ? [at] : [];
  });
  if (!even.length || even.length < rows.length / 2) return null;
  return {
    id: "uniform",
    title: "Nearly uniform",
    says: `${even.length} of ${rows.length} rows have at least ${UNIFORM * 100} % of the entropy of equal weights.`,
    because:
      "This map hardly chooses: its output is close to the mean of all values. Such heads collect an overview of the input, or are not used.",
    source: arxiv("Clark et al. 2019, broad attention", "1906.04341"),
    cells: even.map((row) => ({ row, column: top(weights[row]) })),
    attempt: attempt(shown, () => ({ op: "uniform", ...mapPlace(scene, "head") })),
  };
}

/** @param {Shown} shown @returns {Finding | null} */
export function diagonal({ scene, weights, rows, columns }) {
  if (rows.length < LEAST || columns.length < LEAST) return null;
  const slope = (columns.length - 1) / (rows.length - 1);
  const near = weights.map((row, at) =>
    row.reduce((sum, value, key) => sum + (Math.abs(key - at * slope) <= 1 ? value : 0), 0),
  );
  const share = mean(near);
  if (share < DIAGONAL) return null;
  const crosses = scene.picked?.kind === "cross";
  return {
    id: "diagonal",
    title: "A diagonal",
    says: `${percent(share)} of the weight lies within one key of the diagonal.`,
    because: crosses
      ? "Both texts have their words in the same order here. A map that knew nothing but the place of each word would look alike, so this one shows little about meaning: try a sentence whose words change places."
      : "Here this head looks at a fixed distance. One that does so whatever the words are is a positional head: try another sentence.",
    source: arxiv("Voita et al. 2019, positional heads", "1905.09418"),
    cells: weights.map((row, at) => ({ row: at, column: top(row) })),
    attempt: null,
  };
}

/** Rows that are one too early or too late, where words are linked. @param {Shown} shown @returns {Finding | null} */
export function drift({ scene, weights }) {
  const { picked, output } = scene;
  const { source, target, links } = linksShown(scene, { gold: true });
  if (picked?.kind !== "cross" || links.length < LEAST_LINKS) return null;
  const [found] = alignments(source, { target: output.target, maps: [picked] }, links);
  if (!found?.shift) return null;
  return {
    id: "drift",
    title: "Off by one",
    says: `The rows fit the linked words best one row ${found.shift < 0 ? "earlier" : "later"} (alignment error rate ${found.error.toFixed(2)}).`,
    because:
      "Where the context enters the state before the word is chosen, the model may look at a word one step before or after it writes its translation. The map is then not an alignment, although it translates well.",
    source: arxiv("Koehn and Knowles 2017, section 3.5", "1706.03872"),
    cells: target.tokens.length ? weights.map((row, at) => ({ row: at, column: top(row) })) : [],
    attempt: null,
  };
}

/** @param {Shown} shown @returns {Finding | null} */
export function stuck(shown) {
  const { scene, weights, rows, columns } = shown;
  if (scene.picked?.kind !== "cross") return null;
  let longest = { first: 0, count: 0 };
  let first = 0;
  weights.forEach((row, at) => {
    const column = top(row);
    const holds = row[column] >= STUCK.weight && !rows[at].special && !columns[column]?.special;
    if (!holds || column !== top(weights[first])) first = holds ? at : at + 1;
    const count = at + 1 - first;
    if (count > longest.count) longest = { first, count };
  });
  if (longest.count < STUCK.rows) return null;
  const column = top(weights[longest.first]);
  const cells = rows
    .map((_, row) => ({ row, column }))
    .slice(longest.first, longest.first + longest.count);
  return {
    id: "stuck",
    title: "Stuck on a word",
    says: `${named(columns[column])} is looked at most in ${longest.count} rows in a row: ${few(cells.map(({ row }) => rows[row]))}.`,
    because:
      "One word may become several. If the others are not translated, the model has stopped moving on: nothing in this attention remembers what was read before.",
    source: arxiv("Tu et al. 2016, coverage", "1601.04811"),
    cells,
    attempt: attempt(shown, () => ({
      op: "block",
      ...mapPlace(scene, "head"),
      queries: placesOf(cells.slice(1).flatMap(({ row }) => rows[row].tokens)),
      keys: placesOf(columns[column].tokens),
    })),
  };
}

/** @param {Shown} shown @returns {Finding | null} */
export function copied(shown) {
  const { scene, weights, rows, columns } = shown;
  if (scene.picked?.kind !== "cross") return null;
  const isName = (/** @type {Item} */ { text, start }) =>
    /\p{N}/u.test(text) || (start > 0 && /^\p{Lu}\p{L}/u.test(text));
  const cells = rows.flatMap((item, row) => {
    if (item.special || !isName(item)) return [];
    const column = columns.findIndex(({ text, special }) => !special && text === item.text);
    return column === -1 ? [] : [{ row, column }];
  });
  if (!cells.length) return null;
  const [{ row, column }] = cells;
  return {
    id: "copied",
    title: "In both texts",
    says: `${few(cells.map((cell) => rows[cell.row]))} ${cells.length > 1 ? "stand" : "stands"} in both texts; the row of ${named(rows[row])} looks at it with ${weight(weights[row][column])}.`,
    because:
      "Names and numbers are written as they are read, piece by piece. Attention has to find the right one, so that its map is sharp here.",
    source: arxiv("Gu et al. 2016, copying", "1603.06393"),
    cells,
    attempt: attempt(shown, () => ({ op: "block", ...cellPlace(scene, "head", row, column) })),
  };
}

/** @param {Shown} shown @returns {Finding | null} */
export function inPieces({ scene, rows, columns, weights }) {
  const cut = (/** @type {Item[]} */ items) =>
    items.flatMap(({ tokens, special }, at) => (tokens.length > 1 && !special ? [at] : []));
  const [read, wrote] = [cut(columns), cut(rows)];
  if (scene.units !== "words" || !(read.length || wrote.length)) return null;
  const says = [
    read.length && `${few(read.map((at) => columns[at]))}: a column is the sum of its pieces.`,
    wrote.length && `${few(wrote.map((at) => rows[at]))}: a row is the mean of its pieces.`,
  ];
  return {
    id: "pieces",
    title: "Words in pieces",
    says: says.filter(Boolean).join(" "),
    because:
      "The model has a list of some thousand pieces. A word that is not among them is read, and written, in several, each with an attention of its own.",
    source: arxiv("Sennrich et al. 2016, subword units", "1508.07909"),
    cells: [
      ...read.flatMap((column) => rows.map((_, row) => ({ row, column }))),
      ...wrote.map((row) => ({ row, column: top(weights[row]) })),
    ],
    attempt: { change: { units: "subwords" }, name: "show the pieces" },
  };
}

/** @param {Shown} shown @returns {Finding | null} */
export function rare(shown) {
  const { columns } = shown;
  const found = columns.flatMap((item, at) => (item.rare ? [at] : []));
  if (!found.length) return null;
  return {
    id: "rare",
    title: "A rare word",
    says: `${few(found.map((at) => columns[at]))} ${found.length > 1 ? "were" : "was"} rare in the training texts.`,
    because:
      "The model has seen it a few times at most, so it may guess or copy. Attention often finds the word all the same.",
    source: arxiv("Luong et al. 2015, rare words", "1410.8206"),
    cells: found.flatMap((column) => columnCells(shown, column)),
    attempt: null,
  };
}

/** @param {Shown} shown @returns {Finding | null} */
export function unlikely(shown) {
  const { scene, weights, rows } = shown;
  const chances = rows.map((_, row) => stepsIn(scene, row).map(({ probability }) => probability));
  const likely = chances.map((all) => all.reduce((product, each) => product * each, 1));
  const row = likely.indexOf(Math.min(...likely));
  if (!(likely[row] < UNLIKELY)) return null;
  const [step, ...pieces] = stepsIn(scene, row);
  const others = step.alternatives
    .filter(({ probability }) => probability !== step.probability)
    .slice(0, 2)
    .map(({ text, probability }) => `“${text.trim()}” (${percent(probability)})`);
  const more = pieces.length
    ? ", the product of those of its pieces"
    : others.length
      ? `; the model also considered ${listed(others)}`
      : "";
  return {
    id: "unlikely",
    title: "An unlikely word",
    says: `${named(rows[row])} had a probability of ${percent(likely[row])}${more}.`,
    because:
      "Several words would do, or the model is not sure. Its attention is then that of a choice it hardly made.",
    source: arxiv("Fomicheva et al. 2020, probability as quality", "2005.10608"),
    cells: [{ row, column: top(weights[row]) }],
    attempt:
      "view" in scene
        ? attempt(shown, () => ({ op: "uniform", ...rowPlace(scene, "head", row) }))
        : null,
  };
}

/** @param {Shown} shown @returns {Finding | null} */
export function guided({ scene: { model, picked }, models }) {
  if (!model.guided || picked?.kind !== "cross") return null;
  const twin = models.find(({ id }) => id === model.unguided);
  return {
    id: "guided",
    title: "Guided attention",
    says: `This model: ${model.guided}.`,
    because:
      "An aligner showed it which words belong together. A guided map looks like a word alignment because it was trained to. What attention finds by itself is seen in a model without guidance.",
    source: arxiv("Chen et al. 2016, guided alignment", "1607.01628"),
    cells: [],
    attempt: twin ? { change: { model: twin.id }, name: `ask ${twin.name}` } : null,
  };
}

/** @param {Shown} shown @returns {Finding | null} */
export function foreign({ scene: { model, trace }, models }) {
  if (model.task !== "translate") return null;
  const names = new Map(
    [model, ...models].flatMap(({ source, target }) =>
      [source, target].map(({ code, name }) => /** @type {const} */ ([code, name])),
    ),
  );
  const code = foreignLanguage(trace.source.text, model.source.code, [...names.keys()]);
  if (code === null) return null;
  const reader = models.find(
    ({ task, source, target }) =>
      task === "translate" && source.code === code && target.code === model.target.code,
  );
  return {
    id: "foreign",
    title: "Another language",
    says: `The input looks like ${names.get(code)}; this model reads ${model.source.name}.`,
    because:
      "It cuts the words into pieces that it knows from its own language, and mostly copies them. Its map then shows where it copies.",
    source: arxiv("Koehn and Knowles 2017, domains", "1706.03872"),
    cells: [],
    attempt: reader ? { change: { model: reader.id }, name: `ask ${reader.name}` } : null,
  };
}

/** A gate that lets little of the photo through. @param {Shown} shown @returns {Finding | null} */
function gateClosed({ scene, rows, weights }) {
  const closed = rows.flatMap((_, row) => {
    const gates = stepsIn(scene, row).flatMap(({ gate }) => gate ?? []);
    return gates.length && mean(gates) < CLOSED ? [{ row, gate: mean(gates) }] : [];
  });
  if (!closed.length) return null;
  const [{ row, gate }] = closed;
  return {
    id: "gate",
    title: "The gate is closed",
    says: `At ${few(closed.map((each) => rows[each.row]))} the photo counts little: β is ${gate.toFixed(2)} at ${named(rows[row])}.`,
    because:
      "The context is scaled by β before it is used. Where β is small, the word came from the words before it, and the map of this word has nearly no effect.",
    source: arxiv("Xu et al. 2015, section 4.2.1", "1502.03044"),
    cells: closed.map((each) => ({ row: each.row, column: top(weights[each.row]) })),
    attempt: null,
  };
}

/** @param {Shown} shown @returns {Finding | null} */
export function centred({ scene, rows, weights }) {
  const grid = /** @type {{rows: number, columns: number}} */ (
    /** @type {unknown} */ (scene.trace.source)
  );
  const middle = Array.from({ length: grid.rows * grid.columns }, (_, cell) => {
    const [y, x] = [Math.floor(cell / grid.columns) + 0.5, (cell % grid.columns) + 0.5];
    return Math.abs(y / grid.rows - 0.5) <= 0.25 && Math.abs(x / grid.columns - 0.5) <= 0.25;
  });
  const shares = weights.map((row) =>
    row.reduce((sum, value, cell) => sum + (middle[cell] ? value : 0), 0),
  );
  const area = middle.filter(Boolean).length / middle.length;
  if (!rows.length || Math.min(...shares) < CENTRE) return null;
  return {
    id: "centre",
    title: "In the middle",
    says: `Every word puts at least ${percent(Math.min(...shares))} of its weight on the middle of the photo, ${percent(area)} of its cells.`,
    because:
      "People put what they photograph into the middle, so a map that is the same for all words fits most photos. Compare the words with each other, not with the photo.",
    source: {
      text: "Tatler 2007, the central fixation bias",
      url: "https://doi.org/10.1167/7.14.4",
    },
    cells: middle.flatMap((is, column) => (is ? [{ row: scene.row, column }] : [])),
    attempt: null,
  };
}

/** The steps that wrote a row, of a text or a caption. @param {Scene} scene @param {number} row @returns {Output["steps"]} */
const stepsIn = (scene, row) =>
  "view" in scene
    ? stepsOf(scene, row)
    : /** @type {any} */ (scene).rows[row].tokens.flatMap(
        (/** @type {number} */ token) => /** @type {any} */ (scene).output.steps[token] ?? [],
      );

const OF_TEXTS = [
  ...[guided, foreign, sink, nearUniform, diagonal, drift, stuck],
  ...[copied, untranslated, repeated, inPieces, rare, unlikely],
];
const OF_PHOTOS = [gateClosed, centred, nearUniform, unlikely];

/**
 * The facts about the map on screen.
 * @param {any} scene of a text or of a picture @param {Model[]} models those that are installed; none where there is no server
 * @returns {Finding[]}
 */
export function diagnosesOf(scene, models) {
  const photo = scene.trace.source.kind === "grid";
  const { weights, rows, columns } = photo ? { ...scene, columns: [] } : scene.view;
  if (!weights?.length) return [];
  const shown = { scene, weights, rows, columns, models };
  return (photo ? OF_PHOTOS : OF_TEXTS).flatMap((rule) => rule(shown) ?? []);
}
