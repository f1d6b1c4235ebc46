/** The facts of one step that the picture of a network is drawn from. Pure. */

/** @import {Alternative, AttentionMap, Drawn, GridAxis, Item, MapKind, Order, Output, PictureScene, PictureSeen, Scene, Vector} from "../../core/types" */
/** @import {PartName} from "../../core/step_parts.js" */
/** @import {Chain} from "../step/model.js" */

import { choices, decoderInput, items, merge, vectorOf } from "../../core/trace.js";

/**
 * @typedef {import("../../core/types").NetworkKind} Kind
 *
 * @typedef {object} KeyFact a key of the current query
 * @property {number | null} score @property {number} weight @property {boolean} masked
 *
 * @typedef {object} Layer the shown head of a layer
 * @property {number} layer @property {number[][]} weights
 *
 * @typedef {object} Network
 * @property {Kind} kind @property {Order} order
 * @property {MapKind | null} attended the kind of the map; null without attention
 * @property {string} which layer and head of the map, where there are several
 * @property {number} layer of the map
 * @property {boolean} both true if the encoder is known to read in both directions
 * @property {boolean} sinusoids true if positions are known to be encoded by sines and cosines
 * @property {boolean} fedBack true if h̃ of a step is an input of the next
 * @property {boolean} halved true if the word that was written last is a part of the query
 * @property {Item[]} source the tokens read; none of a picture
 * @property {(Vector | null)[]} memory their encoder states
 * @property {Item[]} target the tokens written @property {Item[]} inputs those read by the decoder
 * @property {Item[]} keyItems @property {KeyFact[]} keys
 * @property {number} row of the map @property {number} step of the decoder; -1 while the input is read
 * @property {PartName[]} parts of the step; none if the trace has no numbers but its weights
 * @property {Vector | null} query @property {Vector | null} context @property {Vector | null} sum the output of one head of several
 * @property {(Vector | null)[]} states of all steps
 * @property {Alternative[]} alternatives @property {number} written @property {number | null} probability
 * @property {boolean} given true if the output was not chosen by the model
 * @property {Layer[]} encoder @property {Layer[]} decoder masked self-attention
 * @property {(part: PartName) => string} formula
 * @property {Seen | null} seen
 *
 * @typedef {object} Seen the parts of a network that reads a picture
 * @property {GridAxis} axis @property {PictureSeen} picture
 * @property {number | null} gate @property {Drawn | null} drawn
 * @property {{words: Item[], weights: number[]} | null} asked the question and the attention of this step to it
 */

/** @param {Scene | PictureScene} scene @param {number} row @param {Chain} chain the same row as a chain of numbers @returns {Network} */
export function networkOf(scene, row, chain) {
  const { trace, model, picked, pieces } = scene;
  const output = /** @type {Output} */ (scene.output);
  const family = knownFamily(scene);
  const own = "view" in scene ? ofText(scene, row, chain) : ofPicture(scene, row, chain);
  const token = own.step < 0 ? -1 : pieces[row];
  const done = output.steps[token];
  const wrote = own.step < 0 ? [] : scene.rows[row].tokens.map((each) => output.steps[each]);
  return {
    ...layersOf(scene),
    kind:
      (output.steps.length && scene.kind.network?.(/** @type {any} */ (trace), output)) ||
      "generic",
    order: trace.model.order,
    which: whichOf(scene),
    layer: picked?.layer ?? 0,
    both: family === "recurrent" || family === "vqa",
    sinusoids: family === "transformer" || family === "transformer-captioner",
    fedBack: model.input_feeding,
    halved: Boolean(chain.query && chain.state && chain.query.size > chain.state.size),
    row,
    parts: scene.parts > 1 ? chain.parts : [],
    query: chain.query,
    context: chain.context,
    sum: chain.head?.sum ?? null,
    states: own.step < 0 ? [] : pieces.map((each) => output.steps[each]?.state ?? null),
    alternatives: done?.alternatives ?? [],
    written: output.target.tokens[token]?.id ?? -1,
    probability: done
      ? wrote.reduce((product, step) => product * (step?.probability ?? 1), 1)
      : null,
    given: output.finish === "forced",
    formula: (part) => signs(chain.textOf(part).formula),
    ...own,
  };
}

/** The facts of a model that reads a text. @param {Scene} scene @param {number} row @param {Chain} chain */
function ofText({ trace, output, view, picked, units }, row, { keys }) {
  const source = items(trace.source, units);
  return {
    attended: view.weights ? (picked?.kind ?? null) : null,
    source,
    memory: source.map((item) => vectorOf(trace.memory, item)),
    target: items(output.target, units),
    inputs: items(decoderInput(output.target), units),
    keyItems: view.columns,
    keys: keys.map(({ score, weight, later }) => ({
      score,
      weight,
      masked: later || (score === null && view.scores !== null && weight === 0),
    })),
    step: view.rowAxis === "source" ? -1 : row,
    seen: null,
  };
}

/** The facts of a model that reads a picture. @param {PictureScene} scene @param {number} row @param {Chain} chain */
function ofPicture({ trace, output, asked, picked }, row, { cells = [], gate, drawn }) {
  return {
    attended: picked?.kind ?? null,
    source: asked?.words ?? [],
    memory: (asked?.words ?? []).map(() => null),
    target: items(output.target, "words"),
    inputs: items(decoderInput(output.target), "words"),
    keyItems: [],
    keys: cells.map(({ score, weight }) => ({ score, weight, masked: false })),
    step: row,
    seen: {
      axis: trace.source,
      picture: trace.picture,
      gate: gate ?? null,
      drawn: drawn ?? null,
      asked: asked && { words: asked.words, weights: asked.weights[row] ?? [] },
    },
  };
}

/** The family of the model, if the server has the weights that made the trace. @param {Scene | PictureScene} scene */
const knownFamily = ({ trace, model }) =>
  trace.model.weights === model.weights ? model.family : undefined;

/** @typedef {{encoder: Layer[], decoder: Layer[]}} Layers */

/** The layers of each scene: they are the same in all steps. @type {WeakMap<Item[], {picked: AttentionMap | null, layers: Layers}>} */
const known = new WeakMap();

/** The shown head of every layer of self-attention, in the units of the scene. @param {Scene | PictureScene} scene @returns {Layers} */
function layersOf(scene) {
  const { picked, rows } = scene;
  const output = /** @type {Output} */ (scene.output);
  const before = known.get(rows);
  if (before && before.picked === picked) return before.layers;
  const inUnits = unitsOf(scene);
  const pool = picked && picked.head < 0 ? /** @type {const} */ ("mean") : null;
  const of = (/** @type {MapKind} */ map) => {
    if (!output.maps.some(({ kind }) => kind === map)) return [];
    const wanted = { map, layer: null, head: picked?.head ?? null, pool };
    return choices(output, wanted).layers.map((layer) => ({
      layer,
      weights: inUnits(map, choices(output, { ...wanted, layer }).picked?.weights ?? []),
    }));
  };
  const layers = { encoder: of("encoder-self"), decoder: of("decoder-self") };
  known.set(rows, { picked, layers });
  return layers;
}

/**
 * Weights of self-attention in the units of a scene: of a word in several pieces, those of one.
 * @param {Scene | PictureScene} scene @returns {(map: MapKind, weights: number[][]) => number[][]}
 */
function unitsOf(scene) {
  const { trace, output, pieces } = scene;
  const units = "view" in scene ? scene.units : "words";
  const axis = "view" in scene ? scene.view.rowAxis : "target";
  const written = items(output.target, units);
  const read = trace.source.kind === "tokens" ? items(trace.source, units) : [];
  if (units === "subwords") return (_, weights) => weights;
  const one = (/** @type {Item[]} */ all, /** @type {string} */ name) =>
    all.map((item, row) => ({ ...item, tokens: [name === axis ? pieces[row] : item.tokens[0]] }));
  return (map, weights) =>
    map === "encoder-self"
      ? merge(weights, one(read, "source"), read)
      : merge(weights, one(written, "target"), items(decoderInput(output.target), units));
}

/** @param {Pick<Scene, "picked" | "pool" | "layers" | "heads">} scene */
function whichOf({ picked, pool, layers, heads }) {
  if (!picked) return "";
  return [
    layers.length > 1 ? `layer ${picked.layer + 1}` : "",
    pool ? `${pool} of its heads` : heads.length > 1 ? `head ${picked.head + 1}` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** The signs of a formula, without their explanations. @param {(string | {symbol: string})[]} pieces */
const signs = (pieces) =>
  pieces.map((piece) => (typeof piece === "string" ? piece : piece.symbol)).join("");
