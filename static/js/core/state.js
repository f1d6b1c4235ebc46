/** The settings of the page of texts, to and from the address bar. Pure. */

/** @import {MapKind, Pool, Scale, SearchKind, Settings, Units} from "./types" */
/** @import {Setting} from "./address.js" */

import { viewField, viewFields } from "./views.js";
import { address, number, oneOf, place, setting, word } from "./address.js";
import { EDIT_FIELDS, PAGE_FIELDS } from "./page_fields.js";

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
  search: setting(oneOf(/** @type {SearchKind[]} */ (["greedy", "beam", "sample"])), "greedy"),
  beam: setting(number(1, 10, true), 4),
  seed: setting(number(0, 2 ** 32 - 1, true), 0),
  temperature: setting(number(0.01, 10), 1),
  penalty: setting(number(0, 3), 1),
  ...EDIT_FIELDS,
  step: setting(place(), 0),
  part: setting(place(), null),
  units: setting(oneOf(/** @type {Units[]} */ (["words", "subwords"])), null),
  scale: setting(oneOf(/** @type {Scale[]} */ (["row", "whole"])), "whole"),
  log: setting(oneOf([false, true]), false),
  view: viewField("tokens"),
  map: setting(oneOf(/** @type {MapKind[]} */ (["cross", "encoder-self", "decoder-self"])), null),
  layer: setting(place(), null),
  head: setting(place(), null),
  pool: setting(oneOf(/** @type {Pool[]} */ (["mean", "max", "rollout"])), null),
  pick: setting(number(0, 9, true), 0),
  ...viewFields("tokens"),
  ...PAGE_FIELDS,
};

export const STATE = address(FIELDS, { path: "/", request: REQUEST });
export const { DEFAULTS, fromQuery, toQuery, sameRequest, restarted } = STATE;
export const { viewOnly, addressOf, savedQuery } = STATE;
