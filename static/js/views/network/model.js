/** The facts of one step that the picture of a network is drawn from. Pure. */

/** @import {Alternative, AttentionMap, Drawn, GridAxis, Item, MapKind, Order, Output, PictureScene, PictureSeen, PictureTrace, Scene, Step, Trace, Vector} from "../../core/types" */
/** @import {PartName} from "../../core/step_parts.js" */

import { stepsOf as stepsOfPicture } from "../../core/grid_scene.js";
import { choices, decoderInput, items, layered, ofTape } from "../../core/trace.js";
import { chainOf as chainOfPicture } from "../step/grid_model.js";
import { gridText } from "../step/grid_text.js";
import { chainOf, formula } from "../step/step_model.js";

/**
 * @typedef {"recurrent" | "fixed" | "transformer" | "captioner" | "ask" | "generic"} Kind
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

/** The picture that a trace has, by what it contains. @param {Trace | PictureTrace} trace @param {Pick<Output, "steps"> & {maps: {kind: MapKind}[]}} output @returns {Kind} */
export function kindOf(trace, output) {
  if (!output.steps.length || ofTape(/** @type {Trace} */ (trace))) return "generic";
  if (trace.source.kind === "grid") return trace.question ? "ask" : "captioner";
  if (layered(/** @type {Output} */ (output))) return "transformer";
  return trace.model.order === "fixed" ? "fixed" : "recurrent";
}

/** @param {Scene} scene @param {number} row @returns {Network} */
export function networkOf(scene, row) {
  const { trace, output, view, model, picked } = scene;
  const chain = chainOf(scene, row);
  const kind = kindOf(trace, output);
  const units = scene.parts > 1 ? "subwords" : scene.units;
  const reading = view.rowAxis === "source";
  const step = reading ? -1 : row;
  const target = items(output.target, units);
  return {
    ...layersOf(output, picked),
    kind,
    order: trace.model.order,
    attended: view.weights ? (picked?.kind ?? null) : null,
    which: whichOf(scene),
    layer: picked?.layer ?? 0,
    both: knownFamily(scene) === "recurrent",
    sinusoids: knownFamily(scene) === "transformer",
    fedBack: model.input_feeding,
    halved: Boolean(chain.query && chain.state && chain.query.size > chain.state.size),
    source: items(trace.source, units),
    memory: trace.source.tokens.map((_, index) => trace.memory?.[index] ?? null),
    target,
    inputs: items(decoderInput(output.target), units),
    keyItems: view.columns,
    keys: chain.keys.map(({ score, weight, later }) => ({
      score,
      weight,
      masked: later || (score === null && view.scores !== null && weight === 0),
    })),
    row,
    step,
    parts: scene.parts > 1 ? chain.parts : [],
    query: chain.query,
    context: chain.context,
    sum: chain.head?.sum ?? null,
    states: output.steps.map(({ state }) => state ?? null),
    ...chosen(output.steps[step], output, step),
    formula: (part) => signs(formula(part, chain, model)),
    seen: null,
  };
}

/** @param {PictureScene} scene @param {number} row @returns {Network} */
export function pictureNetworkOf(scene, row) {
  const { trace, output, model, rows, asked, picked } = scene;
  const chain = chainOfPicture(scene, row);
  const step = rows[row]?.tokens[0] ?? 0;
  return {
    ...layersOf(/** @type {Output} */ (output), picked),
    kind: kindOf(trace, output),
    order: trace.model.order,
    attended: picked?.kind ?? null,
    which: whichOf(scene),
    layer: picked?.layer ?? 0,
    both: trace.model.weights === model.weights && model.family === "vqa",
    sinusoids: trace.model.weights === model.weights && model.family === "transformer-captioner",
    fedBack: false,
    halved: Boolean(chain.query && chain.state && chain.query.size > chain.state.size),
    source: asked?.words ?? [],
    memory: (asked?.words ?? []).map(() => null),
    target: items(output.target, "subwords"),
    inputs: items(decoderInput(output.target), "subwords"),
    keyItems: [],
    keys: chain.cells.map(({ score, weight }) => ({ score, weight, masked: false })),
    row,
    step,
    parts: scene.parts > 1 ? chain.parts : [],
    query: chain.query,
    context: chain.context,
    sum: null,
    states: output.steps.map(({ state }) => state ?? null),
    ...chosen(stepsOfPicture(scene, row)[0], output, step),
    formula: (part) => signs(gridText(part, chain, scene).formula),
    seen: {
      axis: trace.source,
      picture: trace.picture,
      gate: chain.gate,
      drawn: chain.drawn,
      asked: asked && { words: asked.words, weights: asked.weights[row] ?? [] },
    },
  };
}

/** @param {Step | undefined} step @param {Pick<Output, "target" | "finish">} output @param {number} index */
const chosen = (step, { target, finish }, index) => ({
  alternatives: step?.alternatives ?? [],
  written: target.tokens[index]?.id ?? -1,
  probability: step?.probability ?? null,
  given: finish === "forced",
});

/** The family of the model, if the server has the weights that made the trace. @param {Scene} scene */
const knownFamily = ({ trace, model }) =>
  trace.model.weights === model.weights ? model.family : undefined;

/** @typedef {{encoder: Layer[], decoder: Layer[]}} Layers */

/** The layers of each output, for the map that is picked: they are the same in all steps. @type {WeakMap<Output, {picked: AttentionMap | null, layers: Layers}>} */
const known = new WeakMap();

/** The shown head of every layer of self-attention. @param {Output} output @param {AttentionMap | null} picked @returns {Layers} */
function layersOf(output, picked) {
  const before = known.get(output);
  if (before && before.picked === picked) return before.layers;
  const pool = picked && picked.head < 0 ? /** @type {const} */ ("mean") : null;
  const of = (/** @type {MapKind} */ map) => {
    if (!output.maps.some(({ kind }) => kind === map)) return [];
    const wanted = { map, layer: null, head: picked?.head ?? null, pool };
    return choices(output, wanted).layers.map((layer) => ({
      layer,
      weights: choices(output, { ...wanted, layer }).picked?.weights ?? [],
    }));
  };
  const layers = { encoder: of("encoder-self"), decoder: of("decoder-self") };
  known.set(output, { picked, layers });
  return layers;
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
