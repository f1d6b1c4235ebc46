/** The settings of the page of pictures, to and from the address bar. Pure. */

/** @import {MapKind, PictureSettings} from "./types" */
/** @import {Setting} from "./address.js" */

import { viewField, viewFields } from "./views.js";
import { address, number, oneOf, place, setting, word } from "./address.js";
import { EDIT_FIELDS, PAGE_FIELDS, headFields, scaleField, searchFields } from "./page_fields.js";

/** The sample of an address whose photo was the user's own, which no address can contain. */
export const YOURS = "yours";
/** Number of draws for the map `drawn` of hard attention. */
export const DRAWS = 50;

/** The settings that determine the answer. @type {(keyof PictureSettings)[]} */
const REQUEST = [
  "model",
  "sample",
  "question",
  "target",
  "search",
  "beam",
  "seed",
  "temperature",
  "draws",
  "edits",
];

/** @type {{[K in keyof PictureSettings]: Setting<PictureSettings[K]>}} */
const FIELDS = {
  model: setting(word(), null),
  sample: setting(word(), null),
  question: setting(word(), null),
  target: setting(word(), null),
  ...searchFields(3),
  draws: setting(number(0, 100, true), 0),
  ...EDIT_FIELDS,
  step: setting(place(), null),
  part: setting(place(), null),
  view: viewField("grid"),
  scale: scaleField("row"),
  map: setting(oneOf(/** @type {MapKind[]} */ (["cross", "drawn"])), null),
  ...headFields(["mean", "max"]),
  pick: setting(number(0, 9, true), 0),
  ...viewFields("grid"),
  ...PAGE_FIELDS,
};

export const STATE = address(FIELDS, { path: "/picture", request: REQUEST });
export const { DEFAULTS, fromQuery, toQuery, sameRequest, restarted } = STATE;
export const { viewOnly, addressOf, savedQuery } = STATE;
