/** Text in drawings; a function of the caller measures it. Pure. */

/** @import {Item} from "../core/types" */
/** @import {Attributes, Look, Mark, Piece} from "./marks.js" */

import { direction, heading, visible } from "../core/text.js";
import { INK, SANS } from "./ink.js";
import { mark, number } from "./marks.js";

/**
 * @typedef {{size: number, serif?: boolean, bold?: boolean, italic?: boolean}} Face
 * @typedef {(text: string, face: Face) => number} Measure
 * @typedef {{x: number, y: number, anchor?: "start" | "middle" | "end", fill?: string, turn?: number}} Place
 * @typedef {{text: string, underlined?: boolean, fill?: string}} Run
 */

/** The face as a CSS `font`. @param {Face} face */
export const font = ({ size, serif, bold, italic }) =>
  `${italic ? "italic " : ""}${bold ? "600 " : ""}${size}px ${serif ? INK.serif : SANS}`;

/**
 * A line of text. `anchor` is a side of the paper: a text from right to left that is anchored at
 * its start is also to the right of the place.
 * @param {string | Run[]} text @param {Face} face @param {Place} place @param {Look} [look] @param {Attributes} [more]
 * @returns {Mark}
 */
export function label(text, face, { x, y, anchor = "start", fill, turn }, look = INK, more = {}) {
  const runs = typeof text === "string" ? [{ text }] : text;
  const rtl = direction(runs.map((run) => run.text).join("")) === "rtl";
  const side = anchor === "middle" ? "middle" : (anchor === "end") !== rtl ? "end" : "start";
  const attributes = {
    x: turn ? null : x,
    y: turn ? null : y,
    transform: turn ? `translate(${number(x)} ${number(y)}) rotate(${turn})` : null,
    "font-size": Math.max(face.size, look.least ?? 0),
    "font-family": face.serif ? look.serif : null,
    "font-weight": face.bold ? 600 : null,
    "font-style": face.italic ? "italic" : null,
    "text-anchor": side === "start" ? null : side,
    direction: rtl ? "rtl" : null,
    // The root of a drawing has the ink.
    fill: fill === look.ink ? null : fill,
    ...more,
  };
  return typeof text === "string"
    ? { name: "text", attributes, text }
    : mark("text", attributes, runs.map(spanOf));
}

/** @param {Run} run @returns {Mark} */
const spanOf = ({ text, underlined, fill }) => ({
  name: "tspan",
  attributes: { "text-decoration": underlined ? "underline" : null, fill },
  text,
});

/** The text, truncated to fit. @param {string} text @param {Face} face @param {number} room @param {Measure} measure */
export function short(text, face, room, measure) {
  if (measure(text, face) <= room) return text;
  const letters = Array.from(text);
  let [fits, most] = [0, letters.length - 1];
  while (fits < most) {
    const tried = Math.ceil((fits + most) / 2);
    if (measure(`${letters.slice(0, tried).join("")}…`, face) <= room) fits = tried;
    else most = tried - 1;
  }
  return `${letters.slice(0, fits).join("").trimEnd()}…`;
}

/**
 * A text in lines. The last line is truncated if there are too many; a word longer than a line is
 * broken.
 * @param {string} text @param {Face} face @param {number} room @param {Measure} measure @param {number} [most] lines
 */
export function wrapped(text, face, room, measure, most = 3) {
  /** @type {string[]} */
  const lines = [];
  let rest = text;
  while (rest && lines.length < most - 1 && measure(rest, face) > room) {
    const letters = Array.from(rest);
    let fits = 1;
    while (fits < letters.length && measure(letters.slice(0, fits + 1).join(""), face) <= room)
      fits++;
    const space = letters.slice(0, fits + 1).lastIndexOf(" ");
    const end = space > 0 ? space : fits;
    lines.push(letters.slice(0, end).join(""));
    rest = letters.slice(end).join("").trimStart();
  }
  return rest || !lines.length ? [...lines, short(rest, face, room, measure)] : lines;
}

/**
 * The lines with the first `count` characters visible. The others keep their place, so that all
 * frames of an animation have the same size.
 * @param {string[]} lines @param {number} count
 */
export function written(lines, count) {
  let left = count;
  return lines.map((text) => {
    const letters = Array.from(text);
    const shown = letters.slice(0, left).join("");
    left = Math.max(0, left - letters.length - 1);
    return shown;
  });
}

/**
 * @param {string} text @param {Face} face @param {number} room @param {Measure} measure
 * @param {{fill?: string, most?: number, until?: number}} [how] `until`: the number of visible characters @returns {Piece}
 */
export function paragraph(text, face, room, measure, { fill, most, until = Infinity } = {}) {
  const lines = wrapped(text, face, room, measure, most);
  const leading = face.size * 1.4;
  const marks = written(lines, until).map((each, index) =>
    label(each, face, { x: 0, y: index * leading + face.size, fill }),
  );
  return {
    width: Math.max(...lines.map((each) => measure(each, face))),
    height: lines.length * leading,
    marks,
  };
}

/** A heading of a row or a column; marks are grey. @param {Item} item @param {number} size @param {number} room @param {Measure} measure */
export function headed(item, size, room, measure) {
  const { text, quiet } = heading(item);
  const face = quiet === "mark" ? { size: size * 0.9, italic: true } : { size };
  const shown = short(text, face, room, measure);
  return { text: shown, face, fill: quiet ? INK.soft : INK.ink, width: measure(shown, face) };
}

/** The sentence of an axis, with a sign for each invisible character. @param {string} text */
export const said = (text) =>
  visible(text.replace(/\s/gu, (space) => (space === "\n" || space === "\t" ? space : " ")));
