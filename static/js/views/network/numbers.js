/** The name and the numbers of each part of a picture. Pure. */

/** @import {Alternative, Vector} from "../../core/types" */
/** @import {Network} from "./model.js" */

import { placeOf, rowAndColumn } from "../../core/grid.js";
import { below, named, percent, signed, weight } from "../../core/text.js";

/**
 * @typedef {object} Numbers
 * @property {string} title @property {string} [formula]
 * @property {[string, string][]} values names and numbers
 * @property {{symbol: string, meaning: string, vector: Vector}[]} vectors
 * @property {Alternative[]} [alternatives] @property {string} [note]
 */

/** Cells that are listed. */
const LISTED = 6;

/**
 * The numbers of a part in this step; null if the picture of this step does not have the part.
 * @param {Network} network @param {string} id its kind, and its index if there are several
 * @returns {Numbers | null}
 */
export function numbersOf(network, id) {
  const [kind, index] = id.split(":");
  return PARTS[kind]?.(network, Number(index)) ?? null;
}

/** The name of a part with its most important number, for screen readers. @param {Network} network @param {string} id */
export function nameOf(network, id) {
  const found = numbersOf(network, id);
  if (!found) return "To come";
  const first = found.values.map(([name, value]) => `${name} ${value}`).slice(0, 2);
  return [found.title, ...first].join(", ");
}

/** The encoding of a position, of the input or of the output. @param {unknown} _ @param {number} j @returns {Numbers} */
const encoded = (_, j) => ({
  title: `The encoding of position ${j + 1}`,
  formula: "sin(p / 10000²ⁱᐟᴰ), cos(p / 10000²ⁱᐟᴰ)",
  values: [["p", String(j)]],
  vectors: [],
  note: "Sines and cosines of the position at many wavelengths, added to the embedding, so that the order of the words is not lost.",
});

/** @type {Record<string, (network: Network, index: number) => Numbers | null>} */
const PARTS = {
  input: ({ source, sinusoids, memory }, j) =>
    source[j]
      ? {
          title: `Input ${j + 1}: ${named(source[j])}`,
          values: [],
          vectors: [],
          note: sinusoids
            ? "Its embedding, a vector learned in training, plus the encoding of its position."
            : memory[j] || sinusoids
              ? "Its embedding, a vector learned in training, is what the encoder reads."
              : "One of the keys.",
        }
      : null,
  position: encoded,
  place: encoded,
  memory: ({ source, memory, both }, j) => {
    const vector = memory[j];
    return {
      title: `h${below(j + 1)}, the encoder state of ${named(source[j])}`,
      formula: both ? `h${below(j + 1)} = [→h${below(j + 1)}; ←h${below(j + 1)}]` : "",
      values: [],
      vectors: vector
        ? [{ symbol: `h${below(j + 1)}`, meaning: "the word in its context", vector }]
        : [],
      note: both
        ? "One half has read everything up to this word, the other everything after it."
        : vector
          ? "The word in its context, as the last layer of the encoder gives it."
          : "The trace does not contain its numbers.",
    };
  },
  weight: (network, j) => {
    const { keys, keyItems, seen } = network;
    const key = keys[j];
    if (!key) return null;
    const name = seen ? rowAndColumn(seen.axis, j) : named(keyItems[j]);
    if (key.masked)
      return {
        title: `${name} is masked`,
        values: [],
        vectors: [],
        note: "No attention can be paid to it.",
      };
    const top = Math.max(...keys.map(({ score }) => score ?? -Infinity));
    /** @type {[string, string][]} */
    const scores =
      key.score === null
        ? []
        : [
            ["e", signed(key.score, 3)],
            ["e − max", signed(key.score - top, 3)],
            ["exp", Math.exp(key.score - top).toFixed(4)],
          ];
    return {
      title: `Attention to ${name}`,
      formula: [network.formula("scores"), network.formula("weights")]
        .filter((each, i) => each && (key.score !== null || i === 1))
        .join(",  "),
      values: [["α", key.weight.toFixed(4)], ...scores],
      vectors: [],
      note: seen ? `At the ${placeOf(seen.axis, j)} of the photo.` : "",
    };
  },
  softmax: ({ keys, formula }) => {
    const scores = keys.flatMap(({ score }) => score ?? []);
    return {
      title: "Softmax turns scores into weights",
      formula: formula("weights"),
      values: [
        ...(scores.length
          ? /** @type {[string, string][]} */ ([
              ["largest e", signed(Math.max(...scores), 3)],
              ["smallest e", signed(Math.min(...scores), 3)],
            ])
          : []),
        ["largest α", Math.max(0, ...keys.map((key) => key.weight)).toFixed(4)],
        ["sum of α", keys.reduce((sum, key) => sum + key.weight, 0).toFixed(3)],
      ],
      vectors: [],
    };
  },
  query: ({ query, order, halved, kind, which }) => ({
    title: kind === "transformer" ? `The query${which && ` of ${which}`}` : "The query",
    formula: halved
      ? "[sₜ₋₁; yₜ₋₁]"
      : kind === "transformer"
        ? ""
        : order === "before"
          ? "sₜ₋₁"
          : "sₜ",
    values: [],
    vectors: query ? [{ symbol: "query", meaning: "compared with every key", vector: query }] : [],
    note: halved
      ? "The state before this step, and the word that was written last."
      : kind === "transformer"
        ? "Computed from the position that is being written."
        : order === "before"
          ? "The state before this step: attention comes before the update (Bahdanau)."
          : "The new state: attention comes after the update (Luong).",
  }),
  context: ({ context, sum, kind, formula, seen, which }) => {
    const vector = sum ?? context;
    return {
      title:
        kind === "fixed"
          ? "c, the one vector that the whole input is compressed into"
          : sum
            ? `The output of ${which}`
            : kind === "generic"
              ? "The weighted sum"
              : "c, the context vector",
      formula: kind === "fixed" ? "c = [→hₙ; ←h₁]" : formula("context"),
      values: seen?.gate == null ? [] : [["β", seen.gate.toFixed(3)]],
      vectors: vector ? [{ symbol: sum ? "head" : "c", meaning: "the weighted sum", vector }] : [],
      note:
        kind === "fixed"
          ? "The same at every step: there is no attention."
          : vector
            ? ""
            : "The trace does not contain its numbers.",
    };
  },
  gate: ({ seen }) =>
    seen?.gate == null
      ? null
      : {
          title: "The gate β",
          formula: "β = σ(w · sₜ₋₁ + b)",
          values: [["β", seen.gate.toFixed(3)]],
          vectors: [],
          note: "How much the picture counts for this word: the context vector is multiplied by it.",
        },
  state: ({ states, target, formula, step, kind }, t) => {
    if (t === 0 && kind !== "transformer")
      return {
        title: "s₀, the first state",
        values: [],
        vectors: [],
        note: "Computed from the ends of the encoder, before anything is written.",
      };
    const index = t - 1;
    const vector = states[index];
    const item = target[index];
    return {
      title: `s${below(t)}, the state of the decoder${item ? ` that writes ${named(item)}` : ""}`,
      formula: index === step ? formula("state") : "",
      values: [],
      vectors: vector ? [{ symbol: `s${below(t)}`, meaning: "the state", vector }] : [],
      note: vector ? "" : "The trace does not contain its numbers.",
    };
  },
  readout: ({ order, kind }) => ({
    title: order === "after" ? "h̃ₜ, the attentional vector" : "The readout",
    formula:
      order === "after"
        ? "h̃ₜ = tanh(W [cₜ; sₜ])"
        : kind === "ask"
          ? "tanh(W [sₜ; c; yₜ₋₁])"
          : "tanh(W [sₜ; cₜ; yₜ₋₁])",
    values: [],
    vectors: [],
    note: "What the next word is predicted from. The trace does not contain its numbers.",
  }),
  output: ({ target, alternatives, probability, written, step, given, formula }, t) => {
    const item = target[t];
    if (!item) return null;
    if (t !== step) return { title: `Output ${t + 1}: ${named(item)}`, values: [], vectors: [] };
    return {
      title: `${given ? "Given" : item.special ? "The text ends" : "Written"}: ${named(item)}`,
      formula: formula("word"),
      values: probability === null ? [] : [["probability", percent(probability)]],
      vectors: [],
      alternatives: alternatives.some(({ id }) => id === written)
        ? alternatives
        : alternatives.slice(0, 4),
    };
  },
  start: () => ({
    title: "The start token",
    values: [],
    vectors: [],
    note: "What the decoder reads before it has written anything.",
  }),
  feedback: ({ target }, t) =>
    target[t]
      ? {
          title: `${named(target[t])} is fed back`,
          values: [],
          vectors: [],
          note: "What was written is an input of the next step, until the end token is written.",
        }
      : null,
  layer: ({ encoder }, index) =>
    encoder[index] ? layerNumbers("encoder", encoder[index], encoder.length) : null,
  decoder: ({ decoder }, index) =>
    decoder[index] ? layerNumbers("decoder", decoder[index], decoder.length) : null,
  cells: ({ keys, seen }) => {
    if (!seen) return null;
    const order = keys.map((_, cell) => cell).sort((a, b) => keys[b].weight - keys[a].weight);
    const rest = order.slice(LISTED).reduce((sum, cell) => sum + keys[cell].weight, 0);
    return {
      title: `${seen.axis.rows} × ${seen.axis.columns} cells, the keys`,
      values: [
        ...order
          .slice(0, LISTED)
          .map(
            (cell) =>
              /** @type {[string, string]} */ ([
                rowAndColumn(seen.axis, cell),
                keys[cell].weight.toFixed(4),
              ]),
          ),
        ["all others", Math.max(rest, 0).toFixed(4)],
      ],
      vectors: [],
      note: "Each cell is a vector that describes one region of the photo.",
    };
  },
  photo: ({ seen }) =>
    seen && {
      title: "The photo",
      values: [["pixels", `${seen.picture.width} × ${seen.picture.height}`]],
      vectors: [],
      note: "It is scaled to a square for the convolutional network.",
    },
  convolutions: ({ seen }) =>
    seen && {
      title: "The convolutional network",
      values: [["out", `${seen.axis.rows} × ${seen.axis.columns} vectors`]],
      vectors: [],
      note: "Layer by layer the maps become smaller and deeper. It was trained on ImageNet to tell things apart.",
    },
  word: ({ seen }, j) => {
    const asked = seen?.asked;
    if (!asked?.words[j]) return null;
    return {
      title: `Attention to ${named(asked.words[j])} of the question`,
      formula: "eⱼ = vᵀ tanh(W q + U hⱼ)",
      values: [["α", (asked.weights[j] ?? 0).toFixed(4)]],
      vectors: [],
    };
  },
  questioned: () => ({
    title: "The context of the question",
    formula: "c = Σⱼ αⱼ hⱼ",
    values: [],
    vectors: [],
    note: "The words of the question, weighted. It goes into the query for the cells.",
  }),
  product: () => ({
    title: "Both contexts are multiplied",
    formula: "tanh(W [c of the question; s]) ⊙ tanh(U c)",
    values: [],
    vectors: [],
    note: "Each gates the other, number by number.",
  }),
};

/** @param {string} of @param {import("./model.js").Layer} layer @param {number} count @returns {Numbers} */
function layerNumbers(of, { layer, weights }, count) {
  const peaks = weights.map((row) => Math.max(...row));
  const mean = peaks.reduce((sum, value) => sum + value, 0) / (peaks.length || 1);
  return {
    title: `Layer ${layer + 1} of ${count} of the ${of}`,
    formula:
      of === "encoder"
        ? "x + attention(norm x), then x + FFN(norm x)"
        : "x + masked attention, x + cross-attention, x + FFN",
    values: [["mean of the largest weights of each row", mean.toFixed(3)]],
    vectors: [],
    note: "The threads are the weights of the shown head. Choose map, layer and head above.",
  };
}

/** What a step does, in a sentence. @param {Network} network */
export function sentenceOf(network) {
  const { step, target, keys, keyItems, kind, seen, row, attended, which, given, probability } =
    network;
  const best = keys.reduce((top, key, j) => (key.weight > (keys[top]?.weight ?? -1) ? j : top), 0);
  const item = target[step];
  const does = item
    ? ` and ${given ? "is given" : item.special ? "ends the text" : `writes ${named(item)}`}${given ? ` ${named(item)}` : ""}${probability === null ? "" : ` (probability ${percent(probability)})`}`
    : "";
  const start = `Step ${row + 1}`;
  if (kind === "fixed") return `${start}: the decoder reads its one vector${does}.`;
  const where = seen
    ? `the cell in ${rowAndColumn(seen.axis, best)}`
    : keyItems[best]
      ? named(keyItems[best])
      : "";
  const share = weight(keys[best]?.weight ?? 0);
  if (step < 0)
    return `Position ${row + 1}: ${which || "the encoder"} looks mostly at ${where} (${share}).`;
  if (kind === "generic")
    return `Row ${row + 1}, ${named(target[row] ?? item)}: most attention goes to ${where} (${share}).`;
  const who = attended === "decoder-self" ? "the decoder’s self-attention" : "the decoder";
  return `${start}: ${who} looks mostly at ${where} (${share})${does}.`;
}
