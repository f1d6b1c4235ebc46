/**
 * The views, in the order of the page. Page, SVG, PNG, GIF, standalone file and embeds draw from
 * this list: a view is one folder and one line here. Pure; what draws is loaded when it is needed.
 */

/** @import {AxisKind, PictureScene, PictureSettings, Scene, Settings} from "../core/types" */
/** @import {DrawingModule, SvgModule, ViewNote} from "./types" */
/** @import {Setting} from "../core/address.js" */

import { compare } from "./compare/index.js";
import { heads } from "./heads/index.js";
import { map } from "./map/index.js";
import { photo } from "./photo/index.js";
import { ribbons } from "./ribbons/index.js";
import { sheet } from "./sheet/index.js";
import { step } from "./step/index.js";

/**
 * @template T
 * @typedef {Partial<Record<AxisKind, T>>} ByAxis by the kind of axis that the input has
 */

/**
 * @typedef {object} View
 * @property {string} name in the address
 * @property {string[]} [aliases] names in older addresses
 * @property {string} title on the page
 * @property {string} [place] id of its element on the page; the page makes one where there is none
 * @property {{tokens?: () => Promise<DrawingModule<Scene, Settings>>, grid?: () => Promise<DrawingModule<PictureScene, PictureSettings>>}} dom the traces it fits, with what draws them on the page
 * @property {{tokens?: () => Promise<SvgModule<Scene>>, grid?: () => Promise<SvgModule<PictureScene>>}} svg what draws them on paper
 * @property {{tokens?: ViewNote<Scene>, grid?: ViewNote<PictureScene>}} note how to read it, in one line
 * @property {ByAxis<Record<string, Setting<any>>>} [settings] its own state in the address
 * @property {(choice: {heads: unknown[], layers: unknown[]}) => boolean} [fits] whether a trace has what it shows
 * @property {boolean} [parts] whether it shows a step part by part
 * @property {boolean} [models] whether it needs other models
 * @property {boolean} [complete] whether it waits for the complete trace
 */

/** The first one that fits is the default. @type {View[]} */
export const VIEWS = [map, ribbons, photo, sheet, step, heads, compare];

/** @param {AxisKind} axis */
export const viewsOf = (axis) => VIEWS.filter(({ dom }) => axis in dom);

/** The view of this name; the default where there is none. @param {AxisKind} axis @param {string} name */
export function viewNamed(axis, name) {
  const views = viewsOf(axis);
  return views.find((view) => view.name === name) ?? views[0];
}

/**
 * The view to draw a trace in: the one that is set, or the default where the trace does not fit it.
 * @param {AxisKind} axis @param {string} name @param {{heads: unknown[], layers: unknown[]}} choice
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
 * What the views add to the address. The fields are those of the settings, whose types are declared.
 * @template {AxisKind} A
 * @param {A} axis @returns {import("./types").ViewSettings[A]}
 */
export const viewFields = (axis) =>
  Object.assign({}, ...viewsOf(axis).map(({ settings }) => settings?.[axis]));
