/** Everything that can be set on the page of pictures, to and from the address bar. Pure. */

/** @import {MapKind, PictureSettings, PictureViewName, Pool, Scale, SearchKind, Style} from "../core/types" */

import { SPEEDS, address, names, number, oneOf, place, places, word } from "../core/state.js";

/** The sample of an address whose photo was somebody's own: that one was never kept. */
export const YOURS = "yours";
/** Draws that make the map of what hard attention expects. */
export const DRAWS = 50;

/** @type {Readonly<PictureSettings>} */
export const DEFAULTS = Object.freeze({
  model: null,
  sample: null,
  question: null,
  target: null,
  search: "greedy",
  beam: 3,
  seed: 0,
  temperature: 1,
  draws: 0,
  step: null,
  part: null,
  view: "photo",
  style: "heat",
  opacity: 80,
  smoothing: 45,
  scale: "row",
  map: null,
  layer: null,
  head: null,
  pool: null,
  cells: [],
  pick: 0,
  speed: 1,
  show: [],
});

export const { fromQuery, toQuery } = address(
  {
    model: word(),
    sample: word(),
    question: word(),
    target: word(),
    search: oneOf(/** @type {SearchKind[]} */ (["greedy", "beam", "sample"])),
    beam: number(1, 10, true),
    seed: number(0, 2 ** 32 - 1, true),
    temperature: number(0.01, 10),
    draws: number(0, 100, true),
    step: place(),
    part: place(),
    view: oneOf(/** @type {PictureViewName[]} */ (["photo", "sheet", "step", "compare"])),
    style: oneOf(/** @type {Style[]} */ (["heat", "outline", "spotlight"])),
    opacity: number(0, 100, true),
    smoothing: number(0, 100, true),
    scale: oneOf(/** @type {Scale[]} */ (["row", "whole"])),
    map: oneOf(/** @type {MapKind[]} */ (["cross", "drawn"])),
    layer: place(),
    head: place(),
    pool: oneOf(/** @type {Pool[]} */ (["mean", "max"])),
    cells: places(),
    pick: number(0, 9, true),
    speed: oneOf(SPEEDS),
    show: names(),
  },
  DEFAULTS,
);

/** What decides the answer; the rest is only how it is looked at. @type {(keyof PictureSettings)[]} */
export const ASKED = ["model", "sample", "question", "target", "search", "beam", "seed", "temperature", "draws"];

/** @param {PictureSettings} one @param {PictureSettings} other whether both get the same answer for one photo */
export const asksTheSame = (one, other) => ASKED.every((name) => one[name] === other[name]);

/**
 * How it is looked at, without what was asked: the address of a saved trace says the rest.
 * @param {PictureSettings} settings @returns {PictureSettings}
 */
export const looks = (settings) => ({ ...settings, ...Object.fromEntries(ASKED.map((name) => [name, DEFAULTS[name]])) });

/** Where the page goes on from another question: how it is looked at stays, where does not. @param {PictureSettings} settings @returns {PictureSettings} */
export const afresh = (settings) => ({ ...settings, step: null, part: null, pick: 0, cells: [] });

/**
 * The address of the page as it is looked at now. What an embedding page has set besides stays.
 * @param {{pathname: string, search: string, hash: string}} at @param {string | null} saved @param {PictureSettings} settings
 */
export function addressOf({ pathname, search, hash }, saved, settings) {
  if (!saved) return `/picture${toQuery(settings)}${hash}`;
  const query = new URLSearchParams(toQuery(looks(settings)));
  const theme = new URLSearchParams(search).get("theme");
  if (theme) query.set("theme", theme);
  return `${pathname}${query.size ? `?${query}` : ""}${hash}`;
}

/** What follows the address of a saved trace, to look at it as it is looked at now. @param {PictureSettings} settings */
export const savedQuery = (settings) => toQuery(looks({ ...settings, show: [] }));
