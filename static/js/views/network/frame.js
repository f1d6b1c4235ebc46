/** What all pictures of networks have in common: the room, the gutter, parts that can be pressed. Pure. */

/** @import {Network} from "./model.js" */
/** @import {Look, Mark, Attributes} from "../../draw/marks.js" */
/** @import {PartName} from "../../core/step_parts.js" */
/** @import {Measure} from "../../draw/type.js" */
/** @import {Keep} from "../../draw/kept.js" */

import { alwaysNew } from "../../draw/kept.js";
import { nameOf } from "./numbers.js";
import { group } from "../../draw/marks.js";
import { label } from "../../draw/type.js";

/** Below this width the names in the gutter are symbols. */
const NARROW = 560;
const GUTTER = { wide: 124, narrow: 26 };

/**
 * @typedef {object} How how a network is drawn
 * @property {number} room width that the picture should have @property {Measure} measure @property {Look} look
 * @property {number} part the last part of the step that is shown
 * @property {boolean} playing true while later words are not to be seen
 * @property {Network} [named] what its parts are named after, by default all that is drawn
 * @property {boolean} [narrow] true if the gutter has symbols alone, by default in a narrow room
 * @property {boolean} [small] true beside another view, with less height
 * @property {boolean} [aside] true if encoder and decoder of a Transformer stand side by side
 * @property {boolean} [compact] true if its rows are as low as can be
 * @property {(place: {x: number, y: number, width: number, height: number}, attributes?: Attributes) => Mark} [photo]
 * @property {Keep} [keep] gives the marks of an earlier step again, if they are the same
 *
 * @typedef {object} Frame
 * @property {Network} network @property {Look} look @property {Measure} measure
 * @property {boolean} narrow @property {boolean} small @property {boolean} playing @property {boolean} compact
 * @property {{from: number, to: number}} names where the names of the gutter begin and end
 * @property {number} left where the columns begin @property {number} room for the columns
 * @property {number} cell height of a number of a vector
 * @property {(id: string, band: number, marks: Mark[], attributes?: Attributes) => Mark} part
 * @property {(name: PartName) => boolean} later whether a part of the step is still to come
 * @property {(t: number) => number | null} seen opacity of an output; null if it is not to be seen
 * @property {(y: number, name: string, symbol: string, more?: string) => Mark[]} side text in the gutter
 * @property {NonNullable<How["photo"]>} photo @property {Keep} keep
 *
 * @typedef {{width: number, height: number, marks: Mark[], focus: number}} Picture `focus`: where to scroll to, if it is wider than its room
 */

/** Opacity of what is still to be written. */
const FAINT = 0.38;

/** @param {number} room on the screen */
export const isNarrow = (room) => room < NARROW;

/** @param {Network} network @param {How} how @returns {Frame} */
export function frameOf(network, how) {
  const { room, measure, look, part, playing, photo, keep = alwaysNew } = how;
  const { small = false, compact = false, narrow = isNarrow(room), named = network } = how;
  const left = narrow ? GUTTER.narrow : GUTTER.wide;
  const shown = new Set(network.parts.slice(0, part + 1));
  return {
    network,
    look,
    measure,
    narrow,
    small,
    playing,
    compact,
    keep,
    names: { from: 0, to: left - 14 },
    left,
    room: room - left - 4,
    cell: compact && !network.decoder.length ? 2.5 : small ? 3 : narrow ? 4 : 4.5,
    part: (id, band, marks, attributes = {}) =>
      group(id, marks, {
        "data-part": id,
        "data-band": band,
        role: "button",
        tabindex: -1,
        "aria-label": nameOf(named, id),
        ...attributes,
      }),
    // After the update, the query is the new state: it has no part of its own.
    later: (name) => {
      const of = name === "query" && !network.parts.includes(name) ? "scores" : name;
      return network.parts.includes(of) && !shown.has(of);
    },
    seen: (t) => (t <= network.step || network.step < 0 ? 1 : playing ? null : FAINT),
    side: (y, name, symbol, more = "") => gutter({ y, name, symbol, more, narrow, from: 0, look }),
    photo:
      photo ??
      ((place, attributes) => ({
        name: "rect",
        attributes: { ...place, fill: look.grid, ...attributes },
      })),
  };
}

/** The frame of a drawing whose names stand at its right. @param {Frame} frame @param {number} from @returns {Frame} */
export const namedAt = (frame, from) => ({
  ...frame,
  names: { from, to: from + GUTTER.wide - 14 },
  side: (y, name, symbol, more = "") =>
    gutter({ y, name, symbol, more, narrow: false, from, look: frame.look }),
});

/** The width of the names at the side of a wide drawing. */
export const NAMES = GUTTER.wide;

/** @param {{y: number, name: string, symbol: string, more: string, narrow: boolean, from: number, look: Look}} how */
function gutter({ y, name, symbol, more, narrow, from, look }) {
  if (narrow)
    return symbol
      ? [label(symbol, { size: 13, serif: true, italic: true }, { x: 0, y, fill: look.soft }, look)]
      : [];
  return [
    label(name, { size: 12.5 }, { x: from, y, fill: look.soft }, look),
    ...(symbol
      ? [
          label(
            symbol,
            { size: 15, serif: true, italic: true },
            { x: from + GUTTER.wide - 14, y, anchor: "end" },
            look,
          ),
        ]
      : []),
    ...(more ? [label(more, { size: 12 }, { x: from, y: y + 15, fill: look.soft }, look)] : []),
  ];
}
