/**
 * The views, in the order of the page. Page, SVG, PNG, GIF, standalone file and embeds draw from
 * this list: a view is one folder and one line here. Pure; the modules that draw are loaded on demand.
 * The server reads the list and the titles as text, to reserve the room of the tabs (`app/pages/modules.py`).
 */

/** @import {AxisKind, Model} from "../core/types" */
/** @import {Choice, DrawingModules, SvgModules, ViewNotes, ViewSetting, ViewSettings} from "./types" */
/** @import {Setting} from "../core/address.js" */

import { arcs } from "./arcs/index.js";
import { compare } from "./compare/index.js";
import { graph } from "./graph/index.js";
import { heads } from "./heads/index.js";
import { map } from "./map/index.js";
import { network } from "./network/index.js";
import { patches } from "./patches/index.js";
import { path } from "./path/index.js";
import { photo } from "./photo/index.js";
import { positions } from "./positions/index.js";
import { ribbons } from "./ribbons/index.js";
import { sheet } from "./sheet/index.js";
import { step } from "./step/index.js";

/**
 * @typedef {object} View
 * @property {string} name in the address
 * @property {string[]} [aliases] names in older addresses
 * @property {string} title on the page
 * @property {string} [place] id of its element on the page; the page makes one where there is none
 * @property {DrawingModules} dom for each kind of axis that it supports, the module that draws it on the page
 * @property {SvgModules} svg the modules that draw it as SVG
 * @property {ViewNotes} note an explanation in one line
 * @property {Partial<Record<AxisKind, Record<string, ViewSetting>>>} [settings] its settings in the address
 * @property {(choice: Choice) => boolean} [fits] returns false if a trace, or the map of it that is chosen, lacks the data that it shows
 * @property {AxisKind[]} [leads] the kinds of axes whose default it is, although others stand before it
 * @property {boolean} [parts] true if it shows a step part by part
 * @property {boolean} [byRow] true if its animation goes from row to row even so
 * @property {(models: Model[], model: Model) => Model[]} [models] for a view of several models: those that it can show beside one
 * @property {boolean} [complete] true if it needs the complete trace
 */

/** The first one of a kind of axis is its default. @type {View[]} */
export const VIEWS = [
  graph,
  path,
  photo,
  map,
  ribbons,
  arcs,
  patches,
  sheet,
  network,
  step,
  heads,
  positions,
  compare,
];

/** The views of a kind of axis, its default first. @param {AxisKind} axis */
export function viewsOf(axis) {
  const views = VIEWS.filter(({ dom }) => axis in dom);
  const leads = (/** @type {View} */ { leads: kinds }) => Number(kinds?.includes(axis) ?? false);
  return views.sort((one, other) => leads(other) - leads(one));
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
  Object.assign({}, ...viewsOf(axis).map(({ settings }) => settings?.[axis]));
