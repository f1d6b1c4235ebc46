/** One token of a text as a chain of numbers, in the order they are computed. Pure. */

/** @import {Head} from "./head_step.js" */
/** @import {Chain, Content, Facts, Formula, Symbol} from "./model.js" */
/** @import {PartName} from "../../core/step_parts.js" */
/** @import {Model, Scene, Vector} from "../../core/types" */

import { formulaOfHead, headOf } from "./head_step.js";
import { items, layered as inLayers, vectorOf } from "../../core/trace.js";
import { partsOf } from "../../core/step_parts.js";
import { keysOf, usualContents, vector } from "./model.js";
import { learnedOnce as learned, scoreSymbols, sized, softmaxFormula } from "./symbols.js";
import { joining, namesOf, stepText } from "./token_text.js";

/**
 * @typedef {object} Recurrence what a step has beside its scores
 * @property {Head | null} head the head, if there are several
 * @property {boolean} layered true for a Transformer @property {string} unit the word for a key
 * @property {string} fed the last output, "" at the start
 * @property {Vector | null} before the state of the previous step
 * @property {boolean} fedBack true if h̃, from which the last token was predicted, is an input of the state
 *
 * @typedef {Facts & Recurrence} TokenFacts
 */

/** @param {Scene} scene @param {number} row @returns {Chain & Partial<Recurrence>} */
export function stepOf(scene, row) {
  const { trace, output, model, view } = scene;
  const facts = factsOf(scene, row);
  const parts = partsOf(trace.model.order, inLayers(output), view.rowAxis === "source");
  return {
    ...facts,
    parts,
    left: parts.indexOf("scores") + 1,
    textOf: (part) => ({ ...stepText(part, facts), formula: formulaOf(part, facts, model) }),
    contentsOf: (part) => contentsOf(part, parts, facts),
    lines: { state: { does: makingState(facts, parts) } },
  };
}

/** @param {Scene} scene @param {number} row @returns {TokenFacts} */
function factsOf(scene, row) {
  const { view, output, trace, model } = scene;
  const token = scene.pieces[row];
  const unit = scene.units === "words" ? "word" : "token";
  const head = headOf(scene, token);
  const layered = inLayers(output);
  const reading = view.rowAxis === "source";
  const step = reading ? undefined : output.steps[token];
  const reads = view.columnAxis === "source" && !reading;
  const { keys, sum } = keysOf(view.columns, view.scores?.[row], view.weights?.[row], (column) => ({
    memory: reads ? vectorOf(trace.memory, view.columns[column]) : null,
    key: vectorOf(head?.keys, view.columns[column]),
    value: vectorOf(head?.values, view.columns[column]),
  }));
  const masks = view.columnAxis === "decoder_input";
  const lastLayer = head?.layer === head?.layers;
  return {
    keys: keys.map((key) => ({ ...key, later: masks && key.score === null && key.weight === 0 })),
    sum,
    names: namesOf(head, unit),
    unit,
    own: head?.vectors === "present",
    summed: trace.model.mechanism !== "multihead",
    query: step?.query ?? null,
    context: step?.context ?? null,
    state: (reading ? lastLayer && trace.memory?.[token] : step?.state) || null,
    alternatives: step?.alternatives ?? [],
    written: output.target.tokens[token]?.id ?? -1,
    head,
    layered,
    fed: token > 0 && !reading ? items(output.target, "subwords")[token - 1].text : "",
    before: token > 0 && !layered ? (output.steps[token - 1]?.state ?? null) : null,
    fedBack: model.input_feeding,
  };
}

/** The sentence about the new state. @param {TokenFacts} facts @param {PartName[]} parts */
function makingState({ layered, head }, parts) {
  if (layered)
    return head?.kind === "cross"
      ? "The context is added to the decoder, whose last layer gives the state."
      : "What was read is added, and goes on through the layers.";
  return parts[0] === "state"
    ? "The last word makes the new state, which is the query."
    : "The context and the last word make the new state.";
}

/** @param {PartName} part @param {PartName[]} parts @param {TokenFacts} facts @returns {Content[]} */
function contentsOf(part, parts, facts) {
  const { head, layered, before, context } = facts;
  const usual = usualContents(part, facts);
  const which = head && `head ${head.head} of layer ${head.layer}`;
  const query = head ? vector("q", ["q", `the query of ${which}`], head.query) : [];
  switch (part) {
    case "fixed":
      return vector("fixed", ["c", "the same at every step"], context);
    case "query":
      return [...(layered ? [] : usual), ...query];
    case "context":
      return head ? contextOf(head, facts) : usual;
    case "state":
      return [
        ...usual,
        ...vector("before", ["before", "the state before"], before),
        ...(parts.includes("query") ? [] : query),
      ];
    default:
      return usual;
  }
}

/** The weighted sum of a head, and that of all heads of the last layer joined. @param {Head} head @param {Facts} facts @returns {Content[]} */
const contextOf = (
  head,
  {
    names: {
      context: [symbol],
    },
    context,
  },
) => [
  ...vector("seen", [`head ${head.head}`, "its output"], head.sum),
  { note: joining(head) },
  ...(head.last
    ? vector("c", [symbol, `the joined outputs of all heads of layer ${head.layer}`], context)
    : []),
];

/**
 * The formula of a part.
 * @param {PartName} part @param {TokenFacts} facts @param {Model} model @returns {Formula}
 */
function formulaOf(part, facts, model) {
  const { keys, sum, query, context, state, before, fed, fedBack, head, summed } = facts;
  const { best, e, a } = scoreSymbols(keys);
  const old = model.order === "before";
  // If the last token is a part of the query, the query is longer than a state.
  const both = query !== null && state !== null && query.size > state.size;
  const s = {
    symbol: both ? "[sₜ₋₁; yₜ₋₁]" : old ? "sₜ₋₁" : "sₜ",
    meaning: sized(
      both
        ? "the query: the old state and the last output token"
        : `the query: the ${old ? "old" : "new"} state`,
      query,
    ),
  };
  const c = { symbol: "cₜ", meaning: sized("the context", context) };
  const now =
    head?.kind === "encoder-self"
      ? { symbol: "hₜ", meaning: sized("the encoder state", state) }
      : { symbol: "sₜ", meaning: sized("the new state", state) };
  const past = {
    symbol: "sₜ₋₁",
    meaning: before
      ? sized("the state before", before)
      : "the first state, computed from the input",
  };
  const y = {
    symbol: "yₜ₋₁",
    meaning: fed ? `the last output: ${fed.trim() || "a space"}` : "the start token",
  };
  const h = {
    symbol: "hⱼ",
    meaning: sized("encoder state hⱼ: the word in its context", best?.memory),
  };
  const ofHead = formulaOfHead(part, facts, { a, c, e, now, best });
  if (ofHead) return ofHead;
  switch (part) {
    case "fixed":
      return [c, " = c"];
    case "query":
      return [s];
    case "scores":
      return [e, " = ", ...scoreOf(model, s, h, query)];
    case "weights":
      return softmaxFormula(a, e, sum);
    case "context":
      return summed
        ? [c, " = Σⱼ ", a, " ", h]
        : [c, " = ", learned("W"), " [head₁; …; head", String(model.heads), "]"];
    case "state":
      if (model.mechanism === "multihead") return [now];
      if (fedBack) return [now, " = GRU(", past, ", [", y, "; ", readoutBefore(before), "])"];
      return old || model.order === "fixed"
        ? [now, " = GRU(", past, ", ", y, ", ", c, ")"]
        : [now, " = GRU(", past, ", ", y, ")"];
    case "word":
      return fedBack
        ? [
            ...[READOUT, " = tanh(", learned("W"), " [", now, "; ", c, "]), "],
            ...["P(word) = softmax(", learned("V"), " ", READOUT, ")"],
          ]
        : [
            ...["P(word) = softmax(", learned("V"), " tanh(", learned("W"), " [", now, "; ", c],
            ...(model.order === "after" ? [] : ["; ", y]),
            "]))",
          ];
  }
}

const READOUT = {
  symbol: "h̃ₜ",
  meaning: "the vector that the word is predicted from; it is also an input of the next state",
};

/** @param {Vector | null} before the state of the step before */
const readoutBefore = (before) => ({
  symbol: "h̃ₜ₋₁",
  meaning: before
    ? "the vector that the last word was predicted from: state and context of the step before, joined"
    : "zeros at the first step",
});

/**
 * The score of a query and a key: for a mechanism that is not listed here, the formula of the server.
 * @param {Model} model @param {Symbol} s @param {Symbol} h @param {Vector | null} query @returns {Formula}
 */
function scoreOf({ mechanism, formula, paper }, s, h, query) {
  switch (mechanism) {
    case "additive":
      return [...[learned("v"), "ᵀ tanh(", learned("W"), " ", s, " + ", learned("U"), " ", h, ")"]];
    case "concat":
      return [learned("v"), "ᵀ tanh(", learned("W"), " [", s, "; ", h, "])"];
    case "general":
      return [s, "ᵀ ", learned("W"), " ", h];
    case "dot":
      return [s, " · ", h];
    case "scaled":
      return [
        ...[s, " · ", h, " / √"],
        { symbol: "d", meaning: `the width: ${query?.size ?? "?"}` },
      ];
    case "multihead":
      return [learned("W"), s, " · ", learned("W′"), h, " / √", learned("d")];
    default: {
      if (!formula) return ["score(", s, ", ", h, ")"];
      const meaning = `the score of a query q and a key k${paper ? ` (${paper})` : ""}`;
      return [{ symbol: formula, meaning }];
    }
  }
}
