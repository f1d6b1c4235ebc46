/**
 * The views, in the order of the page: what each is called and fits. Page, SVG, PNG, GIF, standalone
 * file and embeds draw from this list; `views/loaders.js` has the modules that draw, and
 * `view_notes.js` says what is seen. Pure. The server reads names, titles and kinds as text, to
 * reserve the room of the tabs (`output/page/modules.py`).
 */

/** @import {AuditSettings, AxisKind, HeadOrder, MapSize, Model, ModelOrder, Some, Style} from "./types" */
/** @import {Choice, ViewSetting, ViewSettings} from "../views/types" */
/** @import {Setting} from "./address.js" */

import { ids, number, oneOf, places, setting, word } from "./address.js";
import { relatedModels } from "./related_models.js";

/**
 * @typedef {object} View
 * @property {string} name in the address
 * @property {string[]} [aliases] names in older addresses
 * @property {string} title on the page
 * @property {string} [place] id of its element on the page; the page makes one where there is none
 * @property {AxisKind[]} kinds the kinds of axes that it supports
 * @property {Partial<Record<AxisKind | "others", Record<string, ViewSetting>>>} [settings] its settings in the address; `others`: of the kinds that are not named
 * @property {(choice: Choice) => boolean} [fits] returns false if a trace, or the map of it that is chosen, lacks the data that it shows
 * @property {AxisKind[]} [leads] the kinds of axes whose default it is, although others stand before it
 * @property {boolean} [parts] true if it shows a step part by part
 * @property {boolean} [byRow] true if its animation goes from row to row even so
 * @property {(models: Model[], model: Model) => Model[]} [models] for a view of several models: those that it can show beside one
 * @property {boolean} [complete] true if it needs the complete trace
 */

const MAP = {
  rows: setting(places(), []),
  columns: setting(places(), []),
  size: setting(oneOf(/** @type {MapSize[]} */ (["readable", "fit"])), null),
};
const LEAST = { least: setting(number(1, 50, true), 10) };
const LOOK = {
  style: setting(oneOf(/** @type {Style[]} */ (["heat", "outline", "spotlight"])), "heat"),
  opacity: setting(number(0, 100, true), 80),
  smoothing: setting(number(0, 100, true), 45),
};
const AUDIT = {
  take: setting(oneOf(/** @type {AuditSettings["take"][]} */ (["edge", "word"])), "edge"),
  removal: setting(
    oneOf(/** @type {AuditSettings["removal"][]} */ (["block", "silence"])),
    "block",
  ),
  scope: setting(oneOf(/** @type {AuditSettings["scope"][]} */ (["all", "one"])), "all"),
  rewrite: setting(oneOf([false, true]), false),
  against: setting(word(), null),
};
/** @type {HeadOrder[]} */
const ORDERS = ["layer", "alignment", "entropy", "diagonal", "sink"];
/** @type {ModelOrder[]} */
const SORTS = ["chosen", "entropy", "probability", "quality"];

/** The first one of a kind of axis is its default. @type {View[]} */
export const VIEWS = [
  {
    name: "graph",
    title: "Graph",
    kinds: ["graph"],
  },
  {
    name: "path",
    title: "Path",
    place: "path",
    kinds: ["glimpses"],
  },
  {
    name: "photo",
    title: "Photo",
    place: "photo",
    kinds: ["grid", "patches"],
    settings: { grid: { ...LOOK, cells: setting(places(), []) }, patches: LOOK },
  },
  {
    name: "map",
    title: "Map",
    place: "map",
    kinds: ["tokens", "patches", "sentences", "glimpses", "graph", "reading"],
    settings: { others: MAP },
  },
  {
    name: "ribbons",
    aliases: ["lines"],
    title: "Ribbons",
    place: "ribbons",
    kinds: ["tokens"],
    settings: { tokens: { mass: setting(number(10, 100, true), 75) } },
  },
  {
    name: "arcs",
    title: "Arcs",
    kinds: ["tokens", "reading"],
    settings: { others: LEAST },
    leads: ["reading"],
    fits: ({ picked }) =>
      Boolean(picked && (picked.key === "decoder_input" || picked.key === picked.query)),
  },
  {
    name: "patches",
    title: "Picture",
    kinds: ["tokens"],
    fits: ({ trace }) => Boolean(trace?.source.kind === "tokens" && trace.source.patches),
  },
  {
    name: "sheet",
    title: "All words",
    place: "sheet",
    kinds: ["grid"],
  },
  {
    name: "network",
    title: "Network",
    kinds: ["tokens", "grid"],
    parts: true,
    byRow: true,
  },
  {
    name: "step",
    title: "Step",
    place: "chain",
    kinds: ["tokens", "grid", "sentences", "glimpses", "patches", "graph", "reading"],
    parts: true,
  },
  {
    name: "heads",
    title: "Heads",
    place: "heads",
    kinds: ["tokens", "grid", "patches"],
    settings: {
      tokens: { order: setting(oneOf(ORDERS), "layer"), links: setting(word(), null) },
    },
    fits: ({ heads, layers }) => heads.length * layers.length > 1,
  },
  {
    name: "audit",
    title: "Audit",
    kinds: ["tokens", "grid"],
    settings: { tokens: AUDIT, grid: AUDIT },
    fits: ({ picked, trace }) =>
      picked?.key === "source" && (picked.query === "target" || (trace?.source.written ?? -1) >= 0),
    complete: true,
  },
  {
    name: "positions",
    title: "Positions",
    kinds: ["patches"],
  },
  {
    name: "compare",
    title: "Compare",
    place: "compare",
    kinds: ["tokens", "grid"],
    settings: {
      tokens: {
        with: setting(ids(), []),
        sort: setting(oneOf(SORTS), "chosen"),
        minus: setting(word(), null),
      },
    },
    models: relatedModels,
    complete: true,
  },
];

/** The views of a kind of axis, its default first. @param {AxisKind} axis */
export function viewsOf(axis) {
  const views = /** @type {Some<View>} */ (VIEWS.filter(({ kinds }) => kinds.includes(axis)));
  const leads = (/** @type {View} */ { leads: kinds }) => Number(kinds?.includes(axis) ?? false);
  views.sort((one, other) => leads(other) - leads(one));
  return views;
}

/** The view of this name, or the default. @param {AxisKind} axis @param {string} name */
export function viewNamed(axis, name) {
  const views = viewsOf(axis);
  return views.find((view) => view.name === name) ?? views[0];
}

/**
 * The view of this name, or the default if the trace does not fit it.
 * @param {AxisKind} axis @param {string} name @param {Choice} choice
 */
export function fittingView(axis, name, choice) {
  const view = viewNamed(axis, name);
  return view.fits?.(choice) === false ? viewsOf(axis)[0] : view;
}

/** The setting `view` of the address. @param {AxisKind} axis @returns {Setting<string>} */
export function viewField(axis) {
  const views = viewsOf(axis);
  return {
    read: (raw) => views.find(({ name, aliases }) => name === raw || aliases?.includes(raw))?.name,
    write: (name) => name,
    default: views[0].name,
  };
}

/**
 * The settings of the views, for the address.
 * @template {AxisKind} A
 * @param {A} axis @returns {ViewSettings[A]}
 */
export const viewFields = (axis) =>
  Object.assign({}, ...viewsOf(axis).map(({ settings }) => settings?.[axis] ?? settings?.others));
