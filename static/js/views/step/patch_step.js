/** One token of a Vision Transformer in one head as a chain of numbers, with the texts of its parts. Pure. */

/** @import {AttentionMap, PatchScene, Vector} from "../../core/types" */
/** @import {PictureChain} from "./grid_model.js" */
/** @import {Chain, StepWords, Symbol} from "./step_model.js" */
/** @import {PartName} from "../../core/step_parts.js" */

import { patchOf, tokenName } from "../../core/patch_scene.js";
import { othersNote } from "../../core/sentences.js";
import { below } from "../../core/text.js";
import { sumOf } from "./head_step.js";
import { PATCH_PARTS } from "../../core/step_parts.js";

/** Number of keys that are listed: there are some two hundred. */
export const LISTED = 12;

/** The texts of the parts. @type {Record<PartName, {title: string, says: string}>} */
const PATCH_TEXT = {
  fixed: { title: "", says: "" },
  query: {
    title: "The query of the token",
    says: "The state of the token before this layer, normalized and multiplied by a matrix of the head.",
  },
  scores: {
    title: "A score for every token",
    says: "Query times key, divided by the square root of their width: how well do they match?",
  },
  weights: {
    title: "Softmax turns scores into weights",
    says: "The largest score is subtracted first, so that no exponential overflows; the weights sum to 1.",
  },
  context: {
    title: "The weighted sum of the values",
    says: "Scale the value of each token by its weight and add them up: the output of the head.",
  },
  state: {
    title: "The state after the layer",
    says: "The outputs of all heads, joined by a matrix, are added to the state before; a feed-forward network adds to it once more.",
  },
  word: { title: "", says: "" },
};
const CLASS = " From that of the class token after the last layer, normalized, the class is read.";

/** @param {PatchScene} scene @param {number} row @returns {Chain & {cells: PictureChain["cells"]}} */
export function patchChain(scene, row) {
  const { view, picked, pool, rows, trace, weights, scores } = scene;
  const map = pool ? null : picked;
  const all = view.weights?.[row] ?? [];
  /** @type {(number | null)[]} */
  const found = map?.scores?.[row] ?? all.map(() => null);
  const top = Math.max(...found.map((score) => score ?? -Infinity));
  const numbers = (/** @type {number | null} */ score) => {
    const shifted = score === null ? null : score - top;
    return { score, shifted, exponential: shifted === null ? null : Math.exp(shifted) };
  };
  const order = all.map((_, column) => column).sort((a, b) => all[b] - all[a] || a - b);
  const keys = order.slice(0, LISTED).map((column) => ({
    item: rows[column],
    ...numbers(found[column]),
    weight: all[column],
    later: false,
    memory: null,
    key: map?.keys?.[column] ?? null,
    value: map?.values?.[column] ?? null,
  }));
  const own = Boolean(map?.keys && map.values);
  const rest = 1 - keys.reduce((total, { weight }) => total + weight, 0);
  const classes = classesAt(scene, row);
  return {
    parts: PATCH_PARTS,
    words: wordsOf(scene, row),
    own,
    layered: false,
    head: null,
    fed: "",
    keys,
    others: all.length > LISTED ? `${othersNote(all.length - LISTED, Math.max(rest, 0))}.` : "",
    cells: (weights[row] ?? []).map((weight, cell) => ({
      cell,
      ...numbers((map && scores?.[row]?.[cell]) ?? null),
      weight,
    })),
    sum: found.map(numbers).reduce((total, { exponential }) => total + (exponential ?? 0), 0),
    query: map?.queries?.[row] ?? null,
    context: sumOf(map?.values ?? [], all),
    state: map?.states?.[row] ?? null,
    before: null,
    fedBack: false,
    summed: true,
    alternatives: classes,
    written: classes.length ? (trace.steps[0]?.alternatives[0]?.id ?? -1) : -1,
  };
}

/** The classes, where the state of this row is what they are read from. @param {PatchScene} scene @param {number} row */
const classesAt = ({ trace, picked, layers }, row) =>
  patchOf(trace.source, row) === null && picked?.layer === layers.at(-1)
    ? (trace.steps[0]?.alternatives ?? [])
    : [];

/** True if the map lacks the numbers of its steps, which the server computes for one head at a time. @param {AttentionMap | null} map */
export const lacksVectors = (map) => Boolean(map && !(map.scores && map.queries));

/** @param {PatchScene} scene @param {number} row @returns {StepWords} */
function wordsOf(scene, row) {
  const { picked, pool, trace } = scene;
  const [layer, head] = [(picked?.layer ?? 0) + 1, (picked?.head ?? 0) + 1];
  const name = pool ? `layer ${layer}` : `head ${head} of layer ${layer}`;
  const token = tokenName(trace.source, row);
  const last = classesAt(scene, row).length > 0;
  const lacking = lacksVectors(picked);
  return {
    text: (part) => {
      const usual = PATCH_TEXT[part];
      if (pool && part !== "weights" && part !== "state")
        return {
          ...usual,
          says: "Each head has numbers of its own. Choose a single head to see them.",
        };
      const says = lacking ? `${usual.says} The trace does not contain it.` : usual.says;
      if (part === "query") return { title: `The query of the ${token}`, says };
      return part === "state" && last ? { ...usual, says: usual.says + CLASS } : usual;
    },
    query: ["q", `the query of ${name}`],
    context: [`head${below(head)}`, `the output of ${name}`],
    state: ["x′", `the state of the ${token} after layer ${layer}`],
    key: ["k", "v", "token"],
    piece: "token",
    formula: (part, chain) => patchFormula(part, chain, { name, head, heads: scene.heads.length }),
  };
}

/**
 * The formula of a part (Vaswani et al. 2017, section 3.2, with the norms before each sublayer).
 * @param {PartName} part @param {Chain} chain @param {{name: string, head: number, heads: number}} which
 * @returns {(string | Symbol)[]}
 */
function patchFormula(part, chain, { name, head, heads }) {
  const size = (/** @type {string} */ meaning, /** @type {Vector | null} */ value) =>
    value ? `${meaning}: ${value.size} numbers` : meaning;
  const [best] = chain.keys;
  const learned = (/** @type {string} */ symbol) => ({ symbol, meaning: "learned in training" });
  const x = { symbol: "x", meaning: "the state of the token before this layer" };
  const q = { symbol: "q", meaning: size(`the query of ${name}`, chain.query) };
  const k = { symbol: "kⱼ", meaning: size("the key of token j", best?.key ?? null) };
  const v = { symbol: "vⱼ", meaning: size("the value of token j", best?.value ?? null) };
  const d = {
    symbol: "d",
    meaning: chain.query ? `the width of a head: ${chain.query.size}` : "the width of a head",
  };
  const e = { symbol: "eⱼ", meaning: `the scores, up to ${best?.score?.toFixed(2) ?? "?"}` };
  const a = { symbol: "αⱼ", meaning: `the weights, up to ${best?.weight.toFixed(3) ?? "?"}` };
  const sum = {
    symbol: `head${below(head)}`,
    meaning: size(`the output of ${name}`, chain.context),
  };
  const y = { symbol: "y", meaning: "the state plus what the heads have read" };
  const next = { symbol: "x′", meaning: size("the state after this layer", chain.state) };
  const total = { symbol: "Σₖ exp(eₖ − max e)", meaning: `the sum: ${chain.sum.toFixed(3)}` };
  const joined = Array.from(
    { length: Math.min(heads, 2) },
    (_, place) => `head${below(place + 1)}`,
  );
  if (heads > 2) joined.splice(1, 1, "…", `head${below(heads)}`);
  switch (part) {
    case "query":
      return [q, " = ", learned("W"), " norm(", x, ")"];
    case "scores":
      return [e, " = ", q, " · ", k, " / √", d];
    case "weights":
      return [a, " = exp(", e, " − max e) / ", total];
    case "context":
      return [sum, " = Σⱼ ", a, " ", v];
    default:
      return [
        ...[next, " = ", y, " + FFN(norm(", y, ")), ", y, " = ", x, " + ", learned("Wᴼ")],
        ` [${joined.join("; ")}]`,
      ];
  }
}
