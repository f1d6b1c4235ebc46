/** The settings of the page of glimpses, to and from the address bar. Pure. */

/** @import {GlimpseSettings, MapKind, Pool, Scale} from "./types" */
/** @import {Setting} from "./address.js" */

import { viewField, viewFields } from "../views/registry.js";
import { address, place, setting, word } from "./address.js";
import { PAGE_FIELDS } from "./page_fields.js";

/** The settings that determine the answer. @type {(keyof GlimpseSettings)[]} */
const REQUEST = ["model", "picture"];

/** A glimpse network has one map, whose colours run from 0 to 1, so these are never in the address. */
const ONLY = { read: () => undefined, write: () => null };

/** @type {{[K in keyof GlimpseSettings]: Setting<GlimpseSettings[K]>}} */
const FIELDS = {
  model: setting(word(), null),
  picture: setting(word(), null),
  step: setting(place(), null),
  part: setting(place(), null),
  view: viewField("glimpses"),
  scale: setting(ONLY, /** @type {Scale} */ ("whole")),
  log: setting(ONLY, false),
  map: setting(ONLY, /** @type {MapKind | null} */ (null)),
  layer: setting(ONLY, /** @type {number | null} */ (null)),
  head: setting(ONLY, /** @type {number | null} */ (null)),
  pool: setting(ONLY, /** @type {Pool | null} */ (null)),
  pick: setting(ONLY, 0),
  ...viewFields("glimpses"),
  ...PAGE_FIELDS,
};

export const GLIMPSE_STATE = address(FIELDS, {
  path: "/glimpse",
  request: REQUEST,
  tour: ["tour", "at"],
});
