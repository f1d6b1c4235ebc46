/** The settings of the page of graphs, to and from the address bar. Pure. */

/** @import {GraphSettings, MapKind, Pool, Scale} from "./types" */
/** @import {Setting} from "./address.js" */

import { viewField, viewFields } from "../views/registry.js";
import { address, oneOf, place, setting, word } from "./address.js";
import { PAGE_FIELDS } from "./page_fields.js";

/** The settings that determine the answer. @type {(keyof GraphSettings)[]} */
const REQUEST = ["model", "graph"];

/** A trace has one kind of map and one output, so these are never in the address. */
const ONLY = { read: () => undefined, write: () => null };

/** @type {{[K in keyof GraphSettings]: Setting<GraphSettings[K]>}} */
const FIELDS = {
  model: setting(word(), null),
  graph: setting(word(), null),
  step: setting(place(), null),
  part: setting(place(), null),
  scale: setting(oneOf(/** @type {Scale[]} */ (["row", "whole"])), "whole"),
  log: setting(oneOf([false, true]), false),
  view: viewField("graph"),
  map: setting(ONLY, /** @type {MapKind | null} */ (null)),
  layer: setting(place(), null),
  head: setting(place(), null),
  pool: setting(oneOf(/** @type {Pool[]} */ (["mean", "max"])), /** @type {Pool | null} */ (null)),
  pick: setting(ONLY, 0),
  ...viewFields("graph"),
  ...PAGE_FIELDS,
};

export const GRAPH_STATE = address(FIELDS, {
  path: "/graph",
  request: REQUEST,
  tour: ["tour", "at"],
});

/**
 * The settings for another request: the view and the node are kept, as most requests are edits.
 * @param {GraphSettings} settings @returns {GraphSettings}
 */
export const restarted = (settings) => ({ ...settings, part: null, rows: [], columns: [] });
