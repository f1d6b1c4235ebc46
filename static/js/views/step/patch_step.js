/** One token of a Vision Transformer in one head as a chain of numbers, with the texts of its parts. Pure. */

/** @import {PatchScene} from "../../core/types" */
/** @import {Cell} from "./cells.js" */
/** @import {Chain, Content, Facts, Formula} from "./model.js" */
/** @import {PartName} from "../../core/step_parts.js" */

import { patchOf, tokenName } from "../../core/grid.js";
import { lacksVectors } from "../../core/kinds/patches.js";
import { othersNote } from "../../core/sentences.js";
import { PATCH_PARTS } from "../../core/step_parts.js";
import { below } from "../../core/text.js";
import { cellsOf } from "./cells.js";
import { softmaxed, sumOf, usualContents } from "./model.js";
import { SOFTMAX, counted, learned, scoreSymbols, softmaxFormula } from "./symbols.js";

/** Number of keys that are listed: there are some two hundred. */
const LISTED = 12;

/** The texts of the parts. @type {Record<PartName, {title: string, says: string}>} */
const TEXTS = {
  fixed: { title: "", says: "" },
  query: {
    title: "The query of the token",
    says: "The state of the token before this layer, normalized and multiplied by a matrix of the head.",
  },
  scores: {
    title: "A score for every token",
    says: "Query times key, divided by the square root of their width: how well do they match?",
  },
  weights: SOFTMAX,
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

/** @param {PatchScene} scene @param {number} row @returns {Chain & {cells: Cell[]}} */
export function stepOf(scene, row) {
  const { view, picked, pool, rows, trace, heads } = scene;
  const map = pool ? null : picked;
  const all = view.weights?.[row] ?? [];
  const { numbers, sum } = softmaxed(map?.scores?.[row], all);
  const order = all.map((_, column) => column).sort((a, b) => all[b] - all[a] || a - b);
  const marks = trace.source.marks?.length ?? 0;
  const keys = order.slice(0, LISTED).map((column) => ({
    item: rows[column],
    cell: column - marks,
    ...numbers[column],
    later: false,
    memory: null,
    key: map?.keys?.[column] ?? null,
    value: map?.values?.[column] ?? null,
  }));
  const rest = 1 - keys.reduce((total, { weight }) => total + weight, 0);
  const classes = classesAt(scene, row);
  const [layer, head] = [(picked?.layer ?? 0) + 1, (picked?.head ?? 0) + 1];
  const name = pool ? `layer ${layer}` : `head ${head} of layer ${layer}`;
  /** @type {Facts & {cells: Cell[]}} */
  const facts = {
    keys,
    sum,
    cells: numbers.slice(marks).map((each, cell) => ({ cell, ...each })),
    names: {
      query: ["q", `the query of ${name}`],
      context: [`head${below(head)}`, `the output of ${name}`],
      state: ["x′", `the state of the ${tokenName(trace.source, row)} after layer ${layer}`],
      key: ["k", "v", "token"],
      piece: "token",
    },
    own: Boolean(map?.keys && map.values),
    summed: true,
    others:
      all.length > LISTED ? `${othersNote(all.length - LISTED, Math.max(rest, 0))}.` : undefined,
    query: map?.queries?.[row] ?? null,
    context: sumOf(map?.values ?? [], all),
    state: map?.states?.[row] ?? null,
    alternatives: classes,
    written: classes.length ? (trace.steps[0]?.alternatives[0]?.id ?? -1) : -1,
  };
  return {
    ...facts,
    parts: PATCH_PARTS,
    left: PATCH_PARTS.indexOf("scores") + 1,
    textOf: (part) => ({
      ...textOf(part, scene, row),
      formula: formulaOf(part, facts, { name, head, heads: heads.length }),
    }),
    contentsOf: (part) => contentsOf(part, facts, scene),
    lines: { state: { does: "What the heads have read is added to the state of the token." } },
  };
}

/** @param {PartName} part @param {Facts & {cells: Cell[]}} facts @param {PatchScene} scene @returns {Content[]} */
function contentsOf(part, facts, { trace }) {
  const usual = usualContents(part, facts);
  switch (part) {
    case "scores":
    case "weights":
    case "context":
      return [...cellsOf(part, facts, trace.source).map(onPage), ...usual];
    case "state":
      return facts.alternatives.length ? [...usual, ...usualContents("word", facts)] : usual;
    default:
      return usual;
  }
}

/** @param {Content} content @returns {Content} */
const onPage = (content) => ({ ...content, page: true });

/** The classes, where the state of this row is what they are read from. @param {PatchScene} scene @param {number} row */
const classesAt = ({ trace, picked, layers }, row) =>
  patchOf(trace.source, row) === null && picked?.layer === layers.at(-1)
    ? (trace.steps[0]?.alternatives ?? [])
    : [];

/** @param {PartName} part @param {PatchScene} scene @param {number} row */
function textOf(part, scene, row) {
  const { picked, pool, trace } = scene;
  const usual = TEXTS[part];
  if (pool && part !== "weights" && part !== "state")
    return {
      ...usual,
      says: "Each head has numbers of its own. Choose a single head to see them.",
    };
  const says = lacksVectors(picked) ? `${usual.says} The trace does not contain it.` : usual.says;
  if (part === "query") return { title: `The query of the ${tokenName(trace.source, row)}`, says };
  return part === "state" && classesAt(scene, row).length
    ? { ...usual, says: usual.says + CLASS }
    : usual;
}

/**
 * The formula of a part (Vaswani et al. 2017, section 3.2, with the norms before each sublayer).
 * @param {PartName} part @param {Facts} facts @param {{name: string, head: number, heads: number}} which @returns {Formula}
 */
function formulaOf(part, { keys, sum, query, context, state }, { name, head, heads }) {
  const { best, e, a } = scoreSymbols(keys);
  const x = { symbol: "x", meaning: "the state of the token before this layer" };
  const q = { symbol: "q", meaning: counted(`the query of ${name}`, query) };
  const k = { symbol: "kⱼ", meaning: counted("the key of token j", best?.key) };
  const v = { symbol: "vⱼ", meaning: counted("the value of token j", best?.value) };
  const d = {
    symbol: "d",
    meaning: query ? `the width of a head: ${query.size}` : "the width of a head",
  };
  const seen = {
    symbol: `head${below(head)}`,
    meaning: counted(`the output of ${name}`, context),
  };
  const y = { symbol: "y", meaning: "the state plus what the heads have read" };
  const next = { symbol: "x′", meaning: counted("the state after this layer", state) };
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
      return softmaxFormula(a, e, sum);
    case "context":
      return [seen, " = Σⱼ ", a, " ", v];
    default:
      return [
        ...[next, " = ", y, " + FFN(norm(", y, ")), ", y, " = ", x, " + ", learned("Wᴼ")],
        ` [${joined.join("; ")}]`,
      ];
  }
}
