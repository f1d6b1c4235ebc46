/** The settings of the page of patches, to and from the address bar. Pure. */

/** @import {MapKind, PatchSettings, Pool, Scale} from "./types" */
/** @import {Setting} from "./address.js" */

import { viewField, viewFields } from "../views/registry.js";
import { address, oneOf, place, setting, word } from "./address.js";
import { PAGE_FIELDS } from "./page_fields.js";

/** The settings that determine the answer. @type {(keyof PatchSettings)[]} */
const REQUEST = ["model", "sample"];

/** A photo has one answer, with maps of one kind, so these are never in the address. */
const ONLY = { read: () => undefined, write: () => null };

/** @type {{[K in keyof PatchSettings]: Setting<PatchSettings[K]>}} */
const FIELDS = {
  model: setting(word(), null),
  sample: setting(word(), null),
  step: setting(place(), null),
  part: setting(ONLY, /** @type {number | null} */ (null)),
  view: viewField("patches"),
  scale: setting(oneOf(/** @type {Scale[]} */ (["row", "whole"])), "row"),
  log: setting(oneOf([false, true]), false),
  map: setting(ONLY, /** @type {MapKind | null} */ (null)),
  layer: setting(place(), null),
  head: setting(place(), null),
  pool: setting(oneOf(/** @type {Pool[]} */ (["mean", "max", "rollout"])), null),
  pick: setting(ONLY, 0),
  ...viewFields("patches"),
  ...PAGE_FIELDS,
};

export const PATCH_STATE = address(FIELDS, {
  path: "/see",
  request: REQUEST,
  tour: ["tour", "at"],
});

/**
 * The settings for another photo: the view is kept, the position in the old photo is not.
 * @param {PatchSettings} settings @returns {PatchSettings}
 */
export const restarted = (settings) => ({ ...settings, step: null, rows: [], columns: [] });
