/** The edits of a page: what an action on a map adds to them, what they are called, and what they do to its rows. Pure. */

/** @import {Edit, MapKind, Item} from "./types" */
/** @import {Places} from "./edit_address.js" */
/** @import {RowEdit} from "./edits.js" */

import { editedRow } from "./edits.js";
import { markName } from "./grid.js";
import { visible } from "./text.js";
import { decoderInput, items } from "./trace.js";

/** The rows that an action on the map of one head changes: those of this head, of its layer, or of all layers. @typedef {"head" | "layer" | "all"} Scope */
/** The rows of an edit, and its keys if it has any. @typedef {Pick<Edit, "kind" | "axis" | "layers" | "heads" | "queries" | "keys" | "words">} Place */
/** A map of a trace, as far as edits need it. @typedef {{kind: MapKind, layer: number, head: number, query: string, key: string, weights: number[][], scores?: (number | null)[][] | null}} EditedMap */
/** A trace, as far as edits need it. @typedef {{maps: EditedMap[], source: any, target: any, question?: any}} EditedTrace */
/**
 * A scene, as far as edits need it.
 * @typedef {object} EditedScene
 * @property {string} viewName
 * @property {{weights: number[][] | null, rows: Item[], columns: Item[]}} view
 * @property {EditedMap | null} picked @property {number[]} layers @property {number[]} heads @property {string | null} pool
 * @property {{maps: EditedMap[]}} output @property {EditedTrace} trace
 */

/** The kinds of maps that are the softmax of scores. */
const KINDS = ["cross", "encoder-self", "decoder-self"];

/** The reason why a map cannot be edited; empty if it can. @param {Pick<EditedScene, "picked" | "pool" | "output" | "trace"> & {viewName?: string}} scene */
export function refusalOf({ picked, pool, output, viewName, trace }) {
  if (!picked) return "This model has no attention to edit.";
  if (viewName === "heads") return ""; // where heads are taken out, whichever map is shown
  if (pool === "rollout" || !KINDS.includes(picked.kind))
    return "This map is made of others. Choose the map of a head to edit it.";
  // The scores of patches are as many as their weights: only the server has them.
  const dense = Boolean(trace.source.marks);
  if (!dense && !output.maps.some(({ kind, scores }) => kind === picked.kind && scores))
    return "This trace has no scores, from which edited weights follow.";
  return "";
}

/** The rows of the map that is shown. @param {Pick<EditedScene, "picked" | "layers" | "heads">} scene @param {Scope} scope @returns {Place} */
export function mapPlace({ picked, layers, heads }, scope) {
  if (!picked) return {};
  const { kind, key, layer, head } = picked;
  return {
    ...(kind !== "cross" && { kind: /** @type {Edit["kind"]} */ (kind) }),
    ...(key === "question" && /** @type {const} */ ({ axis: "question" })),
    ...(layers.length > 1 && scope !== "all" && { layers: layer }),
    ...(heads.length > 1 && scope === "head" && head >= 0 && { heads: head }),
  };
}

/** A row of it. @param {EditedScene} scene @param {Scope} scope @param {number} row @returns {Place} */
export const rowPlace = (scene, scope, row) => ({
  ...mapPlace(scene, scope),
  queries: placesOf(scene.view.rows[row].tokens),
});

/** A cell of it. @param {EditedScene} scene @param {Scope} scope @param {number} row @param {number} column @returns {Place} */
export const cellPlace = (scene, scope, row, column) => ({
  ...rowPlace(scene, scope, row),
  keys: placesOf(scene.view.columns[column].tokens),
});

/** A column in all rows, heads and layers. @param {EditedScene} scene @param {number} column @returns {Place} */
export const columnPlace = (scene, column) => ({
  ...mapPlace(scene, "all"),
  keys: placesOf(scene.view.columns[column].tokens),
});

/** Places as short as they can be named. @param {number[]} tokens in ascending order @returns {Places} */
export function placesOf(tokens) {
  const [first, last] = [tokens[0], tokens[tokens.length - 1]];
  if (tokens.length === 1) return first;
  return last - first === tokens.length - 1 ? { first, last } : tokens;
}

/** The weight of a cell. An edit of the same cell before is replaced, so that this one has the last word. @param {readonly Edit[]} edits @param {Place} place @param {number} weight @returns {Edit[]} */
export const withWeight = (edits, place, weight) => [
  ...without(edits, place, ["set", "block"]),
  { op: "set", ...place, weight },
];

/** A block that is put on or, if it is there, taken off. @param {readonly Edit[]} edits @param {Place} place @returns {Edit[]} */
export const withBlock = (edits, place) => toggled(edits, { op: "block", ...place }, ["set"]);

/** A uniform row, put on or taken off. @param {readonly Edit[]} edits @param {Place} place @returns {Edit[]} */
export const withUniform = (edits, place) => toggled(edits, { op: "uniform", ...place }, []);

/** The temperature of rows; 1 is that without an edit. @param {readonly Edit[]} edits @param {Place} place @param {number} temperature @returns {Edit[]} */
export const withTemperature = (edits, place, temperature) => {
  const others = without(edits, place, ["temperature"]);
  return temperature === 1 ? others : [...others, { op: "temperature", ...place, temperature }];
};

/** The temperature that rows have been given. @param {readonly Edit[]} edits @param {Place} place */
export const temperatureAt = (edits, place) =>
  edits.find((edit) => edit.op === "temperature" && samePlace(edit, place))?.temperature ?? 1;

/** A head that counts nothing. @param {readonly Edit[]} edits @param {Place} head @returns {Edit[]} */
export const withoutHead = (edits, head) =>
  toggled(edits, { op: "silence", ...head, keys: "all" }, []);

/** All others of its kind that count nothing. @param {readonly Edit[]} edits @param {EditedScene} scene @returns {Edit[]} */
export function onlyHead(edits, scene) {
  const { layer, head } = /** @type {EditedMap} */ (scene.picked);
  const kind = mapPlace(scene, "all");
  const others = (/** @type {number[]} */ all, /** @type {number} */ one) =>
    all.filter((each) => each !== one);
  const [layers, heads] = [others(scene.layers, layer), others(scene.heads, head)];
  const all = /** @type {const} */ ({ op: "silence", keys: "all" });
  /** @type {Edit[]} */
  const added = [
    ...(layers.length ? [{ ...all, ...kind, layers: placesOf(layers) }] : []),
    ...(heads.length
      ? [
          {
            ...all,
            ...kind,
            ...(scene.layers.length > 1 && { layers: layer }),
            heads: placesOf(heads),
          },
        ]
      : []),
  ];
  return [...edits.filter((edit) => !added.some((each) => same(each, edit))), ...added];
}

/** @param {readonly Edit[]} edits @param {Edit} edit @param {Edit["op"][]} instead operations on the same place that it replaces @returns {Edit[]} */
function toggled(edits, edit, instead) {
  const others = edits.filter((each) => !same(each, edit));
  if (others.length < edits.length) return others;
  return [...without(edits, edit, instead), edit];
}

/** @param {readonly Edit[]} edits @param {Place} place @param {Edit["op"][]} operations */
const without = (edits, place, operations) =>
  edits.filter((edit) => !(operations.includes(edit.op) && samePlace(edit, place)));

const PLACES = /** @type {const} */ ([
  "kind",
  "axis",
  "layers",
  "heads",
  "queries",
  "keys",
  "words",
]);

/** @param {Place} one @param {Place} other */
const samePlace = (one, other) =>
  PLACES.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));

const ROWS = /** @type {const} */ (["kind", "axis", "layers", "heads", "queries"]);

/** True if an edit is one of these rows. @param {Place} edit @param {Place} row */
export const inRow = (edit, row) =>
  ROWS.every((name) => JSON.stringify(edit[name]) === JSON.stringify(row[name]));

/** @param {Edit} one @param {Edit} other */
const same = (one, other) => one.op === other.op && samePlace(one, other);

/**
 * The first step whose word the edits can change; 0 where they change what is read.
 * @param {readonly Edit[]} edits
 */
export function firstStep(edits) {
  const firsts = edits.map(({ kind, queries }) =>
    kind === "encoder-self" || queries === undefined || queries === "all"
      ? 0
      : typeof queries === "number"
        ? queries
        : Array.isArray(queries)
          ? Math.min(...queries)
          : queries.first,
  );
  return firsts.length ? Math.min(...firsts) : Infinity;
}

/**
 * The trace with the rows of one of its edits as all edits make them. The rows of other steps stay
 * until the server has answered.
 * @template {EditedTrace} T
 * @param {T} trace @param {readonly Edit[]} edits @param {Place} place the rows @returns {T}
 */
export function withRowsOf(trace, edits, place) {
  const kind = kindOf(place, trace);
  const maps = trace.maps.map((map) => {
    if (map.kind !== kind || !map.scores || !isOf(place, map)) return map;
    const { scores } = map;
    const weights = map.weights.map((row, query) => {
      if (!isIn(place.queries, query) || !scores[query]?.length) return row;
      const own = rowEdits(edits, trace, map, query, kind);
      return editedRow(padded(scores[query], row.length), own);
    });
    return { ...map, weights };
  });
  return { ...trace, maps };
}

/**
 * A trace that came without scores, with those of the rows that a drag moves: they are the same in
 * the answer before, unless the edits change a layer below.
 * @template {EditedTrace} T
 * @param {T} trace @param {EditedTrace} before @param {Place} place the rows @returns {T}
 */
export function withScoresOf(trace, before, place) {
  const kind = kindOf(place, trace);
  const maps = trace.maps.map((map, index) => {
    const known = before.maps[index]?.scores;
    if (map.kind !== kind || map.scores || !known || !isOf(place, map)) return map;
    return { ...map, scores: known.map((row, query) => (isIn(place.queries, query) ? row : [])) };
  });
  return { ...trace, maps };
}

/** @param {(number | null)[]} scores @param {number} count */
const padded = (scores, count) => Array.from({ length: count }, (_, key) => scores[key] ?? null);

/** The edits of one row. @param {readonly Edit[]} edits @param {EditedTrace} trace @param {EditedMap} map @param {number} query @param {MapKind} kind @returns {RowEdit[]} */
function rowEdits(edits, trace, map, query, kind) {
  return edits.flatMap((edit) => {
    const own = edit.op !== "gate" && kindOf(edit, trace) === kind && isOf(edit, map);
    if (!own || !isIn(edit.queries, query)) return [];
    const { op, factor, weight, temperature, seed, weights } = edit;
    const keys = keysOf(edit, trace, map.weights[query].length);
    return { op, keys, number: factor ?? weight ?? temperature ?? seed ?? 0, weights };
  });
}

/** @param {Place} place @param {EditedMap} map */
const isOf = ({ axis, layers, heads }, { key, layer, head }) =>
  isIn(layers, layer) && isIn(heads, head) && (axis === "question") === (key === "question");

/** The kind of map of an edit: the only one, else `cross`. @param {Place} place @param {EditedTrace} trace @returns {MapKind} */
function kindOf({ kind }, { maps }) {
  if (kind) return kind;
  const kinds = [...new Set(maps.map((map) => map.kind))].filter((each) => KINDS.includes(each));
  return kinds.length === 1 ? kinds[0] : "cross";
}

/** @param {Places | undefined} places @param {number} index */
export function isIn(places, index) {
  if (places === undefined || places === "all") return true;
  if (typeof places === "number") return places === index;
  return Array.isArray(places)
    ? places.includes(index)
    : places.first <= index && index <= places.last;
}

/** The indices of the keys of an edit. @param {Edit} edit @param {EditedTrace} trace @param {number} count of the keys of its rows */
export function keysOf({ keys, words, box }, { source }, count) {
  const all = Array.from({ length: count }, (_, key) => key);
  const named = words === undefined ? null : wordsOf(source, [words].flat());
  const boxed = box && source.kind === "grid" ? cellsOf(source, box) : null;
  const first = source.marks?.length ?? 0;
  return all.filter(
    (key) => (keys !== undefined && isIn(keys, key)) || named?.has(key) || boxed?.has(key - first),
  );
}

/** The tokens of every occurrence of words, or the nodes of these names. @param {any} axis @param {string[]} words */
function wordsOf(axis, words) {
  const wanted = new Set(words.map((word) => word.toLowerCase()));
  const is = (/** @type {string} */ text) => wanted.has(text.toLowerCase());
  /** @type {{token: any, index: number}[]} */
  const tokens = (axis.tokens ?? axis.nodes ?? []).map(
    (/** @type {any} */ token, /** @type {number} */ index) => ({ token, index }),
  );
  const own = tokens.filter(({ token }) => {
    const word = axis.tokens ? axis.words[token.word] : token;
    return !word.special && is(word.text);
  });
  return new Set(own.map(({ index }) => index));
}

/** The cells whose middle lies in a box, else the one in which its middle lies. @param {any} grid @param {number[]} box */
export function cellsOf(grid, [left, top, width, height]) {
  const [wide, high] = [grid.width / grid.columns, grid.height / grid.rows];
  /** @type {Set<number>} */
  const cells = new Set();
  for (let row = 0; row < grid.rows; row++)
    for (let column = 0; column < grid.columns; column++) {
      const [x, y] = [grid.left + (column + 0.5) * wide, grid.top + (row + 0.5) * high];
      if (left <= x && x <= left + width && top <= y && y <= top + height)
        cells.add(row * grid.columns + column);
    }
  const column = Math.floor((left + width / 2 - grid.left) / wide);
  const row = Math.floor((top + height / 2 - grid.top) / high);
  if (!cells.size) cells.add(row * grid.columns + column);
  return cells;
}

/** The name of an edit. @param {Edit} edit @param {EditedTrace} trace */
export function nameOf(edit, trace) {
  const { op, factor, weight, temperature, seed, value } = edit;
  const keys = keysName(edit, trace);
  const names = {
    block: `block ${keys}`,
    only: `only ${keys}`,
    scale: `${keys} × ${factor}`,
    set: `${keys} = ${weight}`,
    silence: edit.keys === "all" ? "silence" : `silence ${keys}`,
    temperature: `temperature ${temperature}`,
    uniform: "uniform",
    permute: `shuffle ${seed ?? 0}`,
    row: "row given",
    gate: `gate β = ${value}`,
  };
  return [names[op], ...whereOf(edit, trace)].join(" ");
}

/** @param {Edit} edit @param {EditedTrace} trace */
function whereOf({ kind, layers, heads, queries }, trace) {
  const nodes = trace.target.kind === "classes";
  const reads = kind === "encoder-self" || nodes;
  const row = trace.target.kind === "hops" ? "hop" : "step";
  return [
    queries !== undefined &&
      queries !== "all" &&
      `at ${reads ? namesOf(trace.source, queries) : counted(row, queries)}`,
    heads !== undefined && heads !== "all" && `· ${counted("head", heads)}`,
    layers !== undefined && layers !== "all" && `· ${counted("layer", layers)}`,
    kind === "decoder-self" && "· masked self-attention",
    reads && !nodes && "· self-attention",
  ].filter(Boolean);
}

/** @param {Edit} edit @param {EditedTrace} trace */
function keysName({ keys, words, box, kind, axis }, trace) {
  const axes = { "decoder-self": () => decoderInput(trace.target), question: () => trace.question };
  const read = axes[/** @type {keyof typeof axes} */ (axis ?? kind)]?.() ?? trace.source;
  return [
    words !== undefined && [words].flat().map(quoted).join(", "),
    keys !== undefined && namesOf(read, keys),
    box && "a part of the picture",
  ]
    .filter(Boolean)
    .join(", ");
}

/** The names of tokens that stand for no text. @type {Record<string, string>} */
const SPECIAL = { "</s>": "the end", "<s>": "the start", "<no sentence>": "no sentence" };

/** Cells with a number each in the name of an edit, at most. */
const MOST_CELLS = 3;

/** The pieces of an axis: neighbours as one text. @param {any} axis @param {Places} places */
function namesOf(axis, places) {
  if (places === "all") return "all";
  if (axis.kind === "grid") return cellsName(axis, places);
  const pieces = items(axis, "subwords");
  const named = pieces.flatMap((_, index) => (isIn(places, index) ? [index] : []));
  /** @type {string[]} */
  const texts = [];
  named.forEach((index, at) => {
    const { text, special, start } = pieces[index];
    const joins =
      !special && named[at - 1] === index - 1 && pieces[index - 1].end === start && start > 0;
    if (joins) texts[texts.length - 1] += text;
    else texts.push(special ? (SPECIAL[text] ?? text) : text);
  });
  return texts.length ? texts.map(quoted).join(", ") : counted("place", places);
}

/** The cells of a picture, and the marks before them. @param {any} axis @param {Exclude<Places, "all">} places */
function cellsName({ marks = [] }, places) {
  if (Array.isArray(places) && places.length > MOST_CELLS) return `${places.length} cells`;
  if (typeof places === "number" && places < marks.length) return `the ${markName(marks[places])}`;
  const cell = (/** @type {number} */ key) => key - marks.length;
  if (typeof places === "number") return counted("cell", cell(places));
  return Array.isArray(places)
    ? counted("cell", places.map(cell))
    : counted("cell", { first: cell(places.first), last: cell(places.last) });
}

/** @param {string} text */
const quoted = (text) => `“${visible(text.trim())}”`;

/** Places counted from 1. @param {string} name @param {Places} places */
function counted(name, places) {
  if (places === "all") return `all ${name}s`;
  if (typeof places === "number") return `${name} ${places + 1}`;
  return Array.isArray(places)
    ? `${name}s ${places.map((each) => each + 1).join(", ")}`
    : `${name}s ${places.first + 1}–${places.last + 1}`;
}
