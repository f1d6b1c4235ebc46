/** Saved traces: their addresses, and what is known of one from itself. Pure. */

/** @import {Model, Settings, Trace} from "./types" */

import { NOBODY } from "./imported_model.js";
import { ASKED } from "../text_page/request.js";
import { DEFAULTS, toQuery } from "./state.js";

/** Of the frame in another page: room for the strings, the player and a map of medium size. */
const FRAME_HEIGHT = 640;

/** @param {string} path of a page @returns {string | null} id of the saved trace that it shows */
export function savedAt(path) {
  return /^\/(?:t|embed)\/([A-Za-z0-9]+)$/.exec(path)?.[1] ?? null;
}

/**
 * How it is looked at, without what was asked: the address of a saved trace says the rest.
 * @param {Settings} settings @returns {Settings}
 */
export function looks(settings) {
  return { ...settings, ...Object.fromEntries(ASKED.map((name) => [name, DEFAULTS[name]])) };
}

/**
 * The settings that ask for this trace again; nothing to ask where it was brought along.
 * @param {Trace} trace @param {Model} model @returns {Partial<Settings>}
 */
export function question({ model: { id }, request: { text, target, search } }, model) {
  if (model.id === NOBODY.id) return {};
  const { kind, seed, temperature } = search;
  const beam = kind === "beam" ? search.beam : DEFAULTS.beam;
  return { model: id, text, target, search: kind, beam, seed, temperature, penalty: search.length_penalty };
}

/**
 * The model of a trace: one that is here, or, for one that is not, what the trace itself tells.
 * @param {Trace} trace @param {Model[]} models @returns {Model}
 */
export function modelOf(trace, models) {
  const { id, mechanism, order } = trace.model;
  const here = models.find((model) => model.id === id);
  if (here || id === NOBODY.id) return here ?? NOBODY;
  const count = (/** @type {"layer" | "head"} */ name) => new Set(trace.maps.map((map) => map[name])).size || 1;
  const letters = trace.target.tokens.every(({ text, special }) => special || Array.from(text).length < 2);
  return { ...NOBODY, name: id, mechanism, order, layers: count("layer"), heads: count("head"), granularity: letters ? "characters" : "subwords" };
}

/**
 * The address of the page as it is looked at now. What an embedding page has set besides stays.
 * @param {{pathname: string, search: string, hash: string}} at @param {string | null} saved
 * @param {Settings} settings
 */
export function addressOf({ pathname, search, hash }, saved, settings) {
  if (!saved) return `/${toQuery(settings)}${hash}`;
  const query = new URLSearchParams(toQuery(looks(settings)));
  const theme = new URLSearchParams(search).get("theme");
  if (theme) query.set("theme", theme);
  return `${pathname}${query.size ? `?${query}` : ""}${hash}`;
}

/** The link to a saved trace. @param {string} origin @param {string} id @param {string} query how it is looked at */
export const linkTo = (origin, id, query) => `${origin}/t/${id}${query}`;

/**
 * What another page needs to show it in a frame.
 * @param {string} origin @param {string} id @param {string} query @param {string} title
 */
export function frame(origin, id, query, title) {
  const address = `${origin}/embed/${id}${query}`;
  return `<iframe src="${attribute(address)}" title="${attribute(title)}" width="100%" height="${FRAME_HEIGHT}" style="border: 0" loading="lazy"></iframe>`;
}

/** @param {string} text within quotes of HTML */
const attribute = (text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
