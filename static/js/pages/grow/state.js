/** The settings of the page, to and from the address bar. Pure. */

/** @import {Edit} from "../../core/types" */
/** @import {Mechanism} from "./attend.js" */
/** @import {RunSettings} from "./run.js" */

import { address, number, oneOf, setting, word } from "../../core/address.js";
import { MOST } from "./edits.js";
import { LONGEST, TASKS } from "./tasks.js";

/**
 * @typedef {object} GrowSettings
 * @property {string} task @property {Mechanism} attention @property {"before" | "after"} order
 * @property {number} width @property {number} rate @property {number} examples @property {number} longest
 * @property {number} seed @property {number} batch @property {string | null} beside the difference of a second run
 * @property {string} text that a person typed @property {readonly Edit[]} edits of the attention to it
 * @property {string | null} lesson whose step the page is @property {number | null} at
 */
/** @typedef {"attention" | "order" | "width" | "rate" | "examples" | "longest"} Switch */
/** @typedef {{name: Switch, title: string, values: {value: string, text: string}[]}} SwitchFacts */

const MOST_TEXT = 40;
export const OWN = "own";
export const SEEDS = 9999;
/** Rows of a batch, and on a phone. */
export const BATCH = { usual: 32, phone: 16 };

const WIDTHS = [8, 16, 24, 32, 48, 64];
const RATES = [0.001, 0.003, 0.006, 0.012, 0.05];
const EXAMPLES = [0, 20, 200, 2000];
/** @type {Mechanism[]} */
const MECHANISMS = ["additive", "dot", "scaled", "none"];
/** @type {("before" | "after")[]} */
const ORDERS = ["before", "after"];

const texts = (/** @type {(string | number)[]} */ values, /** @type {Record<string, string>} */ names = {}) =>
  values.map((value) => ({ value: String(value), text: names[value] ?? String(value) })); // prettier-ignore

/** The switches, which are also the differences that two runs can have. @type {SwitchFacts[]} */
export const SWITCHES = [
  {
    name: "attention",
    title: "Attention",
    values: texts(MECHANISMS, {
      additive: "additive",
      dot: "dot product",
      scaled: "scaled dot product",
      none: "none",
    }),
  },
  {
    name: "order",
    title: "Order",
    values: texts(ORDERS, { before: "before the state update", after: "after the state update" }),
  },
  { name: "width", title: "Width", values: texts(WIDTHS) },
  { name: "rate", title: "Learning rate", values: texts(RATES) },
  {
    name: "examples",
    title: "Examples",
    values: texts(EXAMPLES, { 0: "always new", 2000: "2,000" }),
  },
  {
    name: "longest",
    title: "Longest word",
    values: texts(
      Array.from({ length: LONGEST.most - LONGEST.least + 1 }, (_, place) => LONGEST.least + place),
      {},
    ).map(({ value }) => ({ value, text: `${value} letters` })),
  },
];

/** Value and name of each difference. */
export const DIFFERENCES = SWITCHES.flatMap(({ name, values }) =>
  values.map(({ value }) => `${name}-${value}`),
);

/** An edit as the addresses of all pages have it (`core/edit_address.js`): its letter and its step, counted from 1. */
const EDIT = /^(block|only|uniform)(?:_k([1-9]\d?))?(?:_q([1-9]\d?))?$/;
const place = (/** @type {string} */ raw) => Number(raw) - 1;

const edited = {
  read: (/** @type {string} */ raw) => {
    const found = raw.split(" ").map((each) => EDIT.exec(each));
    const edits = found.flatMap((match) => (match ? [editOf(match)] : []));
    const known = edits.every(({ op, keys }) => (op === "uniform") === (keys === undefined));
    return known && edits.length === found.length && edits.length <= MOST ? edits : undefined;
  },
  write: (/** @type {readonly Edit[]} */ edits) => edits.map(textOf).join(" ") || null,
};

/** @param {RegExpExecArray} match @returns {Edit} */
const editOf = ([, op, keys, queries]) => ({
  op: /** @type {Edit["op"]} */ (op),
  ...(keys && { keys: place(keys) }),
  ...(queries && { queries: place(queries) }),
});

/** @param {Edit} edit */
const textOf = ({ op, keys, queries }) =>
  [
    op,
    keys !== undefined && `k${Number(keys) + 1}`,
    queries !== undefined && `q${Number(queries) + 1}`,
  ]
    .filter(Boolean)
    .join("_");

const typed = {
  read: (/** @type {string} */ raw) => Array.from(raw).slice(0, MOST_TEXT).join(""),
  write: (/** @type {string} */ value) => value || null,
};

/** @type {{[K in keyof GrowSettings]: import("../../core/address.js").Setting<GrowSettings[K]>}} */
const FIELDS = {
  task: setting(oneOf([...TASKS.map(({ name }) => name), OWN]), TASKS[0].name),
  attention: setting(oneOf(MECHANISMS), "additive"),
  order: setting(oneOf(ORDERS), "before"),
  width: setting(oneOf(WIDTHS), 48),
  rate: setting(oneOf(RATES), 0.006),
  examples: setting(oneOf(EXAMPLES), 0),
  longest: setting(number(LONGEST.least, LONGEST.most, true), LONGEST.usual),
  seed: setting(number(1, SEEDS, true), 1),
  batch: setting(oneOf(Object.values(BATCH)), BATCH.usual),
  beside: setting(oneOf(DIFFERENCES), null),
  text: setting(typed, ""),
  lesson: setting(word(), null),
  at: setting(number(1, 99, true), null),
  edits: setting(edited, /** @type {readonly Edit[]} */ (Object.freeze([]))),
};

export const STATE = address(FIELDS, {
  path: "/learn/grow",
  request: ["task", "attention", "order", "width", "rate", "examples", "longest", "seed", "batch", "beside"], // prettier-ignore
});

/** The settings of the second run: those of the first with one difference; null if there is none. @param {GrowSettings} settings @returns {GrowSettings | null} */
export function second(settings) {
  if (!settings.beside) return null;
  const [name, value] = settings.beside.split("-");
  return STATE.fromQuery(
    STATE.toQuery(/** @type {GrowSettings} */ ({ ...settings, [name]: value })),
  );
}

/** The settings of the runs. @param {GrowSettings} settings @returns {RunSettings[]} */
export const runsOf = (settings) =>
  [settings, second(settings)].flatMap((each) =>
    each
      ? [
          {
            mechanism: each.attention,
            order: each.order,
            width: each.width,
            rate: each.rate,
            examples: each.examples,
            longest: each.longest,
            seed: each.seed,
            rows: each.batch,
          },
        ]
      : [],
  );

/** The name of each run: what it is, or what is different. @param {GrowSettings} settings */
export function namesOf(settings) {
  const { beside } = settings;
  if (!beside) return [saying("attention", settings.attention)];
  const [name, value] = beside.split("-");
  const named = /** @type {Switch} */ (name);
  return [saying(named, settings[named]), saying(named, value)];
}

/** @param {Switch} name @param {string | number} value */
export function saying(name, value) {
  const { title, values } = /** @type {SwitchFacts} */ (
    SWITCHES.find((each) => each.name === name)
  );
  const text = values.find((each) => each.value === String(value))?.text ?? String(value);
  if (name === "attention") return value === "none" ? "No attention" : `Attention: ${text}`;
  return `${title}: ${text}`;
}
