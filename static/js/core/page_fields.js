/** The settings that pages with a trace have in their addresses. Pure. */

/** @import {Axes, AxisKind, Edit, Editing, Pool, Presenting, Scale, SearchKind} from "./types" */
/** @import {Address, Setting} from "./address.js" */

import { editsField } from "./edit_address.js";
import { viewField, viewFields } from "./views.js";
import { address, list, names, number, oneOf, place, setting, word } from "./address.js";

const SPEEDS = [0.5, 1, 2, 4];

/** The settings that every page with a trace has: its player, panels, lesson, hidden controls and presentation. */
export const PAGE_FIELDS = {
  speed: setting(oneOf(SPEEDS), 1),
  show: setting(names(), []),
  lesson: setting(word(), null),
  at: setting(number(1, 99, true), null),
  mine: setting(word(), null),
  hide: setting(list(), []),
  present: setting(oneOf(/** @type {Presenting[]} */ (["1", "guess"])), null),
};

/** The settings of a page whose attention can be edited. */
export const EDIT_FIELDS = {
  edits: setting(editsField(), /** @type {readonly Edit[]} */ (Object.freeze([]))),
  editing: setting(oneOf(/** @type {Editing[]} */ (["1", "difference"])), null),
};

/** The search of a model that writes. @param {number} beam the number of hypotheses, unless it is chosen */
export const searchFields = (beam) => ({
  search: setting(oneOf(/** @type {SearchKind[]} */ (["greedy", "beam", "sample"])), "greedy"),
  beam: setting(number(1, 10, true), beam),
  seed: setting(number(0, 2 ** 32 - 1, true), 0),
  temperature: setting(number(0.01, 10), 1),
});

/** A setting that a page does not offer, which is never in its address. @template T @param {T} value @returns {Setting<T>} */
export const fixed = (value) => ({ read: () => undefined, write: () => null, default: value });

/** What the colours of a map are scaled to. @param {Scale} value */
export const scaleField = (value) =>
  setting(oneOf(/** @type {Scale[]} */ (["row", "whole"])), value);

/** One of the maps of several heads, or heads merged into one. @param {Pool[]} pools */
export const headFields = (pools) => ({
  layer: setting(place(), null),
  head: setting(place(), null),
  pool: setting(oneOf(pools), null),
});

/**
 * The address of the page of one kind of model, whose request has some inputs. Without `fields`, the
 * trace has one map and one output; they add settings, or replace those of other pages.
 * @template {AxisKind} A
 * @param {A} kind @param {string} path @param {string[]} inputs the settings that are requested of the model
 * @param {{[K in keyof Axes[A]["settings"]]?: Setting<any>}} [fields]
 * @param {(keyof Axes[A]["settings"])[]} [stays] the settings of a position that is kept in the next answer
 * @returns {Address<Axes[A]["settings"]>}
 */
export function pageAddress(kind, path, inputs, fields = {}, stays = []) {
  const all = {
    model: setting(word(), null),
    ...Object.fromEntries(inputs.map((name) => [name, setting(word(), null)])),
    step: setting(place(), null),
    part: setting(place(), null),
    scale: scaleField("whole"),
    log: setting(oneOf([false, true]), false),
    view: viewField(kind),
    map: fixed(null),
    layer: fixed(null),
    head: fixed(null),
    pool: fixed(null),
    pick: fixed(0),
    ...fields,
    ...viewFields(kind),
    ...PAGE_FIELDS,
  };
  const request = /** @type {(keyof Axes[A]["settings"] & string)[]} */ ([
    "model",
    ...inputs,
    ...("edits" in fields ? ["edits"] : []),
  ]);
  return address(
    /** @type {{[K in keyof Axes[A]["settings"]]: Setting<Axes[A]["settings"][K]>}} */ (
      /** @type {unknown} */ (all)
    ),
    { path, request, stays },
  );
}
