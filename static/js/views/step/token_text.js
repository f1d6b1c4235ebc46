/** The title and the explanation of each part of a step. Pure. */

/** @import {PartName} from "../../core/step_parts.js" */
/** @import {Head} from "./head_step.js" */
/** @import {Names} from "./model.js" */
/** @import {MapKind} from "../../core/types" */

import { SOFTMAX } from "./symbols.js";

/** @typedef {{head: Head | null, layered: boolean, unit: string, fedBack?: boolean}} Kind of step: its head, if there are several, whether it is a Transformer's, and the word for a key */

/** The texts for most models. @type {Record<PartName, {title: string, says: string}>} */
export const STEP_TEXT = {
  fixed: {
    title: "One vector is passed on",
    says: "The whole input in one vector, the same at every step. There is no attention.",
  },
  query: {
    title: "The decoder’s state asks (the query)",
    says: "This vector contains the output so far; as the query, it decides where to look next.",
  },
  scores: {
    title: "A score for every input",
    says: "How well does each encoder state match the query?",
  },
  weights: SOFTMAX,
  context: {
    title: "The weighted sum",
    says: "Scale each vector by its weight and add them up: the context vector.",
  },
  state: { title: "The new state", says: "" },
  word: { title: "The next word", says: "The most probable tokens." },
};

const FED_BACK =
  "Its inputs are the last word and h̃, which that word was predicted from, so the state knows where the model has looked (input feeding).";

/** @param {PartName} part @param {Kind} kind @returns {{title: string, says: string}} */
export function stepText(part, { head, layered, unit, fedBack = false }) {
  const text = STEP_TEXT[part];
  const usual = part === "scores" ? { ...text, title: `${text.title} ${unit}` } : text;
  if (part === "state" && fedBack) return { ...usual, says: FED_BACK };
  if (!head) return usual;
  switch (part) {
    case "query":
      return layered
        ? {
            title:
              head.vectors === "pooled" ? "The queries of several heads" : "The query of a head",
            says: querying(head),
          }
        : usual;
    case "scores":
      return {
        title:
          head.kind === "decoder-self" ? `A score for every output ${unit} so far` : usual.title,
        says: SCORES[head.vectors],
      };
    case "weights":
      return head.vectors === "pooled"
        ? { ...usual, says: "Each head has weights of its own; this map combines them." }
        : usual;
    case "context":
      return {
        title: head.vectors === "pooled" ? "Their weighted sums" : "The weighted sum of this head",
        says: summing(head),
      };
    case "state":
      return layered
        ? {
            title:
              head.kind === "encoder-self"
                ? head.layer === head.layers
                  ? "The encoder state"
                  : "On to the next layer"
                : usual.title,
            says: moving(head),
          }
        : usual;
    default:
      return usual;
  }
}

/** The sentence about the joined outputs of the heads. @param {Head} head */
export function joining({ kind, heads, layer, last }) {
  const sums = `The sums of all ${heads} heads of layer ${layer}`;
  if (kind !== "cross")
    return `${sums}, side by side, are joined into one vector, o, which the trace does not contain.`;
  if (last) return `${sums}, side by side, are joined into one vector, c.`;
  return `${sums} are joined and go on into layer ${layer + 1}. The trace contains c of the last layer only.`;
}

/** The names of the vectors and of a key. @param {Head | null} head @param {string} unit @returns {Names} */
export const namesOf = (head, unit) => ({
  query: ["query", "the decoder’s query"],
  context: ["c", "the context vector"],
  state:
    head?.kind === "encoder-self"
      ? ["h", "the encoder state of the token"]
      : ["s", "the new state"],
  key: ["k", "v", "head"],
  piece: `${head?.kind === "decoder-self" ? "output" : "input"} ${unit}`,
});

/** @type {Record<import("./head_step.js").HeadVectors, string>} */
const SCORES = {
  present: "Query times key, divided by the square root of their width: how well do they match?",
  absent: "How well does each key match the query?",
  pooled: "Each head has scores of its own; their mean has no meaning.",
};

/** The input of a query. @type {Partial<Record<MapKind, string>>} */
const QUERY_INPUTS = {
  cross: "from the output so far",
  "decoder-self": "from the last output token",
  "encoder-self": "from this input token",
};

/** @param {Head} head */
function querying({ vectors, kind, head, layer }) {
  if (vectors === "pooled")
    return "Each head has a query of its own. Choose a single head to follow its numbers.";
  return `Head ${head} of layer ${layer} computes its query ${QUERY_INPUTS[kind]}.${vectors === "absent" ? " The trace does not contain it." : ""}`;
}

/** @param {Head} head */
function summing({ vectors, head }) {
  if (vectors === "pooled") return "Each head sums values of its own.";
  if (vectors === "present")
    return `Scale each value by its weight and add them up: the output of head ${head}.`;
  return `The values, each times its weight, add up to the output of head ${head}.`;
}

/** @param {Head} head */
function moving({ kind, layer, layers, last }) {
  if (kind === "decoder-self")
    return "o is added to the input of the layer; their sum, y, goes on to cross-attention. The state comes out of the last layer.";
  if (kind === "encoder-self")
    return `o is added to the input of the layer, and a feed-forward network processes the sum. The result ${layer === layers ? "is the encoder state h." : `goes into layer ${layer + 1}.`}`;
  const way = "c is added to the input of the layer, and a feed-forward network processes the sum";
  if (last) return `${way}: the state.`;
  const after = layers - layer;
  const more = after === 1 ? "comes one more layer" : `come ${after} more layers`;
  return `After layer ${layer} ${more}. The state comes out of the last: there ${way}.`;
}
