/** The settings of the page of stories, to and from the address bar. Pure. */

/** @import {MapKind, MapSettings, Pool, Scale, StorySettings} from "./types" */
/** @import {Setting} from "./address.js" */

import { viewField, viewFields } from "../views/registry.js";
import { address, oneOf, place, setting, word } from "./address.js";
import { PAGE_FIELDS } from "./page_fields.js";

/** The settings that determine the answer. @type {(keyof StorySettings)[]} */
const REQUEST = ["model", "story", "question"];

/** A memory network has one map, so these are never in the address. */
const ONLY = { read: () => undefined, write: () => null };

/** @type {{[K in keyof StorySettings]: Setting<StorySettings[K]>}} */
const FIELDS = {
  model: setting(word(), null),
  story: setting(word(), null),
  question: setting(word(), null),
  step: setting(place(), null),
  part: setting(place(), null),
  scale: setting(oneOf(/** @type {Scale[]} */ (["row", "whole"])), "whole"),
  log: setting(oneOf([false, true]), false),
  view: viewField("sentences"),
  map: setting(ONLY, /** @type {MapKind | null} */ (null)),
  layer: setting(ONLY, /** @type {number | null} */ (null)),
  head: setting(ONLY, /** @type {number | null} */ (null)),
  pool: setting(ONLY, /** @type {Pool | null} */ (null)),
  pick: setting(ONLY, 0),
  ...viewFields("sentences"),
  ...PAGE_FIELDS,
};

export const STORY_STATE = address(FIELDS, {
  path: "/story",
  request: REQUEST,
  tour: ["tour", "at"],
});

/**
 * The settings for another request: the view is kept, the position in the old answer is not.
 * @template {MapSettings} S @param {S} settings @returns {S}
 */
export const restarted = (settings) => ({
  ...settings,
  step: null,
  part: null,
  rows: [],
  columns: [],
});
