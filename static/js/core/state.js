/** The settings of the page of texts, to and from the address bar. Pure. */

/** @import {MapKind, Settings, Units} from "./types" */
/** @import {Setting} from "./address.js" */

import { viewField, viewFields } from "./views.js";
import { address, number, oneOf, place, setting, word } from "./address.js";
import { EDIT_FIELDS, PAGE_FIELDS, headFields, scaleField, searchFields } from "./page_fields.js";

/** The settings that determine the answer. @type {(keyof Settings)[]} */
const REQUEST = [
  "model",
  "text",
  "target",
  "search",
  "beam",
  "seed",
  "temperature",
  "penalty",
  "edits",
];

/**
 * Places (step, layer, head) count from 1 in the address, as on the page.
 * @type {{[K in keyof Settings]: Setting<Settings[K]>}}
 */
const FIELDS = {
  model: setting(word(), null),
  text: setting(word(), null),
  target: setting(word(), null),
  ...searchFields(4),
  penalty: setting(number(0, 3), 1),
  ...EDIT_FIELDS,
  step: setting(place(), 0),
  part: setting(place(), null),
  units: setting(oneOf(/** @type {Units[]} */ (["words", "subwords"])), null),
  scale: scaleField("whole"),
  log: setting(oneOf([false, true]), false),
  view: viewField("tokens"),
  map: setting(oneOf(/** @type {MapKind[]} */ (["cross", "encoder-self", "decoder-self"])), null),
  ...headFields(["mean", "max", "rollout"]),
  pick: setting(number(0, 9, true), 0),
  ...viewFields("tokens"),
  ...PAGE_FIELDS,
};

export const STATE = address(FIELDS, { path: "/", request: REQUEST });
export const { DEFAULTS, fromQuery, toQuery, sameRequest, restarted } = STATE;
export const { viewOnly, addressOf, savedQuery } = STATE;
