/** The figures of an audit as they are shown: in bits and shares, each beside its baseline. Pure. */

/** @import {Audit, Band} from "../../core/wire" */
/** @import {AttentionMap, Trace, View} from "../../core/types" */

import { table } from "../../core/csv.js";
import { heading, signed } from "../../core/text.js";
import { viewOf } from "../../core/trace.js";
import { trainingFigures } from "./trainings.js";
import { valueFigures } from "./values.js";

/** @typedef {{low: number, high: number, mean: number}} Range */
/**
 * @typedef {object} Figure one figure beside its baseline
 * @property {string} name @property {string} means
 * @property {number} value @property {string} text the value with its unit
 * @property {Range | null} random the range of the same figure at random
 * @property {string} baseline the baseline in words
 * @property {{name: string, value: number}[]} others further figures on the same scale
 * @property {[number, number]} scale its ends
 */

/** Numbers of natural logarithms as bits. @param {number} nats */
export const bits = (nats) => nats / Math.LN2;

/** @param {number} value */
const one = (value) => signed(value, 1);
/** @param {number} value */
const two = (value) => signed(value, 2);
/** @param {number} share */
const percent = (share) => `${Math.round(share * 100)}\u00a0%`;

/** The mean of the numbers that there are; null of none. @param {(number | null)[]} values */
export function mean(values) {
  const known = values.filter((value) => value !== null);
  return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
}

/** The middle 95 % of the figures of several seeds. @param {number[]} values @returns {Range} */
export function range(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => {
    const place = share * (sorted.length - 1);
    const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return below + (above - below) * (place % 1);
  };
  return { low: at(0.025), high: at(0.975), mean: mean(values) ?? 0 };
}

/** @param {Band} band @returns {Range | null} */
const known = ({ mean, low, high }) =>
  mean === null || low === null || high === null ? null : { mean, low, high };

/**
 * A map of numbers in the axes of the attention. A cell that cannot be taken has none, and is 0.
 * @param {Audit} audit @param {(number | null)[][]} numbers @param {string} symbol @returns {View}
 */
export function mapOf(audit, numbers, symbol) {
  const trace = /** @type {Trace} */ (/** @type {unknown} */ (audit.trace));
  const weights = numbers.map((row) => row.map((value) => value ?? 0));
  const map = /** @type {AttentionMap} */ ({
    kind: "cross",
    layer: 0,
    head: 0,
    query: "target",
    key: "source",
    weights,
    scores: null,
  });
  return { ...viewOf(trace, trace, map, "subwords"), symbol };
}

/**
 * The two maps in the same axes: the attention, and the cost of taking each cell in bits.
 * @param {Audit} audit @returns {{attention: View, effect: View}}
 */
export function mapsOf(audit) {
  const costs = audit.costs.map((row) => row.map((cost) => (cost === null ? null : bits(cost))));
  return { attention: mapOf(audit, audit.attention, "α"), effect: mapOf(audit, costs, "bits") };
}

/**
 * The attention beside the effects: of each key in its row, or of leaving each word out of the input.
 * @param {Audit} audit @param {boolean} byWord @returns {{attention: View, effect: View, says: string}}
 */
export function effectMaps(audit, byWord) {
  const { left_out: left, trace } = audit;
  const maps = mapsOf(audit);
  if (!byWord || !left || trace.source.kind !== "tokens")
    return { ...maps, says: "bits lost without the cell" };
  const { words, tokens } = trace.source;
  const columns = left.words.map((word) => ({
    ...words[word],
    tokens: tokens.flatMap((token, place) => (token.word === word ? [place] : [])),
  }));
  const view = (/** @type {(number | null)[][]} */ numbers, /** @type {View} */ of) => ({
    ...of,
    columns,
    weights: numbers.map((row) => row.map((value) => value ?? 0)),
  });
  const costs = left.cost.map((row) => row.map((cost) => (cost === null ? null : bits(cost))));
  return {
    attention: view(left.attention, maps.attention),
    effect: view(costs, maps.effect),
    says: "bits lost when the word is left out of the input",
  };
}

/** The figures that have a value. @param {Audit} audit @returns {Figure[]} */
export function figuresOf(audit) {
  return [
    strongest(audit),
    first(audit),
    order(audit),
    ...valueFigures(audit),
    edgeAndWord(audit),
    ...orderFigures(audit),
    distances(audit),
    ...trainingFigures(audit),
  ].filter((figure) => figure !== null);
}

/** @param {Audit} audit @returns {Figure | null} */
function strongest({ controls, choices, noun }) {
  const { keys, cost, random } = controls;
  const value = mean(cost);
  if (value === null) return null;
  const means = random.map((row) => bits(mean(row) ?? 0));
  const chance = range(means);
  const some = keys === 1 ? `the strongest ${noun}` : `the ${keys} strongest ${noun}s`;
  const does = choices.removal === "block" ? "Blocking" : "Silencing";
  return {
    name: `${does} ${some}`,
    means: "The mean cost for what is written in a row, in bits: is what the map shows necessary?",
    value: bits(value),
    text: `${one(bits(value))} bits`,
    random: chance,
    baseline: `as many at random ${one(chance.mean)} (${one(chance.low)} to ${one(chance.high)})`,
    others: [],
    scale: ends([bits(value), chance.low, chance.high, 0]),
  };
}

/** @param {Audit} audit @returns {Figure | null} */
function first({ agreement, noun }) {
  const { attention, place, random_first } = agreement;
  if (attention.first === null) return null;
  const where = noun === "cell" ? "centre" : "diagonal";
  const others = place.first === null ? [] : [{ name: where, value: place.first }];
  const chance = random_first ?? 0;
  return {
    name: `The first ${noun} is the same`,
    means: `The share of rows whose strongest ${noun} is also the one whose loss costs most.`,
    value: attention.first,
    text: percent(attention.first),
    random: { mean: chance, low: chance, high: chance },
    baseline: [
      `one at random ${percent(chance)}`,
      ...others.map(({ name, value }) => `the ${name} ${percent(value)}`),
    ].join(", "),
    others,
    scale: [0, 1],
  };
}

/** @param {Audit} audit @returns {Figure | null} */
function order({ agreement, noun }) {
  const { attention, place, random_tau } = agreement;
  const random = known(random_tau);
  if (attention.tau === null) return null;
  const where = noun === "cell" ? "centre" : "diagonal";
  const others = place.tau === null ? [] : [{ name: where, value: place.tau }];
  return {
    name: "Attention and effect agree in order",
    means: `Kendall’s τ of the weights and the costs of a row, from −1 to 1, over all ${noun}s. Those with little weight cost nearly nothing, and can turn it negative.`,
    value: attention.tau,
    text: `τ ${two(attention.tau)}`,
    random,
    baseline: [
      random && `random maps ${two(random.mean)} (${two(random.low)} to ${two(random.high)})`,
      ...others.map(({ name, value }) => `the ${name} ${two(value)}`),
    ]
      .filter(Boolean)
      .join(", "),
    others,
    scale: [-1, 1],
  };
}

/** @param {Audit} audit @returns {Figure | null} */
function edgeAndWord({ left_out: left, noun }) {
  if (!left) return null;
  const rows = left.taken.flatMap((taken, row) => {
    const whole = left.cost[row][left.strongest[row]];
    return taken === null || whole === null ? [] : [{ taken, whole }];
  });
  if (!rows.length) return null;
  const edge = bits(mean(rows.map(({ taken }) => taken)) ?? 0);
  const whole = bits(mean(rows.map(({ whole }) => whole)) ?? 0);
  const cell = noun === "cell";
  return {
    name: cell ? "The strongest cell, in its row alone" : "The strongest word, in its row alone",
    means: cell
      ? "The mean cost of taking it from one row, and from every row."
      : "The mean cost of taking it from one row, and out of the input. The gap is what reaches the output through the states of other words.",
    value: edge,
    text: `${one(edge)} bits`,
    random: null,
    baseline: `${cell ? "from every row" : "out of the input"} ${one(whole)}`,
    others: [{ name: cell ? "every row" : "left out", value: whole }],
    scale: ends([edge, whole, 0]),
  };
}

/**
 * The figures of the orders of a row.
 * @param {Pick<Audit, "orders" | "trace">} audit @param {boolean} [exact] false if the bounds are an estimate
 * @returns {Figure[]}
 */
export function orderFigures({ orders, trace }, exact = true) {
  if (!orders?.random) return [];
  const estimated = exact ? "" : ", estimated by beam search";
  const { attention, effects, random, row } = orders;
  const word = wordOf(trace, row);
  return /** @type {const} */ (["comprehensiveness", "sufficiency"]).flatMap((name, at) => {
    const value = attention[name];
    const chance = known(/** @type {Band} */ (random[at]));
    if (value === null || !chance) return [];
    const theirs = effects[name];
    return {
      name: `${name === "sufficiency" ? "Sufficiency" : "Comprehensiveness"} at “${word}”`,
      means:
        name === "sufficiency"
          ? `The order of the weights when only the first are left, from the worst order of this row (0) to the best (1)${estimated}.`
          : `The order of the weights when the first are taken away, from the worst order of this row (0) to the best (1)${estimated}.`,
      value,
      text: two(value),
      random: chance,
      baseline: [
        `random orders ${two(chance.mean)} (${two(chance.low)} to ${two(chance.high)})`,
        ...(theirs === null ? [] : [`the order of the costs ${two(theirs)}`]),
      ].join(", "),
      others: theirs === null ? [] : [{ name: "costs", value: theirs }],
      scale: /** @type {[number, number]} */ ([0, 1]),
    };
  });
}

/** @param {Audit} audit @returns {Figure | null} */
function distances({ distances }) {
  const value = mean(distances.uniform);
  if (value === null) return null;
  const random = range(distances.permuted.map((row) => mean(row) ?? 0));
  return {
    name: "Equal weights change the next word’s distribution",
    means:
      "The total variation distance, from 0 to 1. Alone it proves little: other weights may say the same.",
    value,
    text: two(value),
    random,
    baseline: `permuted weights ${two(random.mean)} (${two(random.low)} to ${two(random.high)})`,
    others: [],
    scale: [0, 1],
  };
}

/** The text of a token of the output. @param {Audit["trace"]} trace @param {number} row */
export function wordOf({ target }, row) {
  return target.kind === "tokens" ? (target.tokens[row]?.text.trim() ?? "") : "";
}

/** The ends of a scale around these numbers. @param {number[]} values @returns {[number, number]} */
function ends(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return [low, high > low ? high : low + 1];
}

/** Weights and costs of every cell as comma-separated values. @param {Audit} audit */
export function csvOf(audit) {
  const { attention, effect } = mapsOf(audit);
  const further = furtherColumns(audit);
  const lines = attention.rows.flatMap((row, i) =>
    attention.columns.map((column, j) => [
      String(i),
      heading(row).text,
      String(j),
      heading(column).text,
      String(audit.attention[i][j]),
      audit.costs[i][j] === null ? "" : String(effect.weights?.[i][j].toFixed(5)),
      ...further.map(({ cell }) => cell(i, j)),
    ]),
  );
  return table([
    ["row", "output", "column", "input", "attention", "cost in bits"].concat(
      further.map(({ name }) => name),
    ),
    ...lines,
  ]);
}

/**
 * The attention of a word of a caption, and the bits that are lost or gained without each cell, in its
 * row or in every row. The attention is the mean of its tokens, the bits are their sum.
 * @param {Audit} audit @param {number[]} tokens @param {boolean} [everywhere]
 */
export function cellsOf(audit, tokens, everywhere = false) {
  const cells = audit.attention[tokens[0]].map((_, cell) => cell);
  const sum = (/** @type {(number | null)[][]} */ rows, /** @type {number} */ cell) =>
    tokens.reduce((total, token) => total + (rows[token][cell] ?? 0), 0);
  const taken = (everywhere && audit.left_out?.cost) || audit.costs;
  const costs = cells.map((cell) => bits(sum(taken, cell)));
  return {
    attention: meanCells(audit.attention, tokens),
    lost: costs.map((cost) => Math.max(cost, 0)),
    gained: costs.map((cost) => Math.max(-cost, 0)),
  };
}

/** The mean of a map over the tokens of a word. @param {(number | null)[][]} map @param {number[]} tokens */
export const meanCells = (map, tokens) =>
  map[tokens[0]].map(
    (_, cell) => tokens.reduce((sum, token) => sum + (map[token][cell] ?? 0), 0) / tokens.length,
  );

/** Weights and costs of every cell of a photo as comma-separated values. @param {Audit} audit */
export function gridCsv(audit) {
  const further = furtherColumns(audit);
  const lines = audit.attention.flatMap((weights, row) =>
    weights.map((weight, cell) => {
      const cost = audit.costs[row][cell];
      return [
        String(row),
        wordOf(audit.trace, row),
        String(cell),
        String(weight),
        cost === null ? "" : bits(cost).toFixed(5),
        ...further.map((column) => column.cell(row, cell)),
      ];
    }),
  );
  return table([
    ["row", "output", "cell", "attention", "cost in bits"].concat(further.map(({ name }) => name)),
    ...lines,
  ]);
}

/**
 * The columns of a table after the costs: the maps that an audit has beside them.
 * @param {Audit} audit
 */
function furtherColumns({ given_back, weighted, zeroed }) {
  const columns = [
    { name: "given back in bits", map: given_back, shown: bits },
    { name: "weighted by value", map: weighted, shown: Number },
    { name: "value zeroing", map: zeroed, shown: Number },
  ];
  return columns.flatMap(({ name, map, shown }) =>
    map
      ? {
          name,
          cell: (/** @type {number} */ row, /** @type {number} */ column) => {
            const value = map[row][column];
            return value === null ? "" : shown(value).toFixed(5);
          },
        }
      : [],
  );
}
