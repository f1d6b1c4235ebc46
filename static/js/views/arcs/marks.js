/** The arcs between the words of one sentence, as marks for page and paper. Pure. */

/** @import {Scene} from "../../core/types" */
/** @import {Look, Mark} from "../../draw/marks.js" */
/** @import {Arc, Drawing, Point} from "./model.js" */

import { strongest } from "../../core/sentences.js";
import { listed } from "../../core/word_notes.js";
import { languageOf, named, weight } from "../../core/text.js";
import { Kept } from "../../draw/kept.js";
import { group, mark, onPage, rect, unless } from "../../draw/marks.js";
import { label } from "../../draw/type.js";
import { arcsFrom, arcsOf, widthOf } from "./model.js";

/** Size of the words. */
export const SIZE = 16;
const MARK_SIZE = 12;
/** Opacity of an arc, and of those of the current word. */
const FAINT = 0.22;
const STRONG = 0.85;
/** Height of the area that takes the pointer for a word. */
const TARGET = 28;

/**
 * @typedef {object} Now
 * @property {number | null} row the current one
 * @property {number} until the last row that is written
 * @property {number | null} [selected] the row that has the keyboard
 */

/**
 * The marks of any row. What all rows share is made once.
 * @param {Pick<Scene, "view" | "least" | "model">} scene @param {Drawing} laid @param {Look} look
 * @returns {(now: Now) => Mark[]}
 */
export function arcsDrawing({ view, least, model }, laid, look) {
  const { across, points, numbers } = laid;
  const hides = view.columnAxis === "decoder_input";
  const lang = languageOf(model, view.rowAxis) || null;
  const arc = (/** @type {Arc} */ each, /** @type {number} */ strength) =>
    mark("path", {
      d: laid.path(each),
      fill: "none",
      stroke: look.accent,
      "stroke-width": widthOf(each.weight),
      "stroke-opacity": strength,
      "stroke-linecap": "round",
      class: "arc",
      "data-row": each.row,
      "data-column": each.column,
    });
  const arcs = arcsOf(view, least).map((each) => ({ row: each.row, drawn: arc(each, FAINT) }));
  const kept = new Kept();
  const words = points.map((point, index) => ({
    key: String(index),
    point,
    target: target(point, laid),
    attributes: { ...attributesOf(view, point), lang },
  }));

  return ({ row, until, selected = row }) => {
    const own = row === null ? [] : arcsFrom(view, row);
    const read = new Set(own.map(({ column }) => column));
    const first = own.reduce((most, each) => (each.weight > most.weight ? each : most), own[0]);
    const word = (/** @type {typeof words[number]} */ { key, point, target, attributes }) => {
      const here = point.row !== null && point.row === row;
      const lit = point.column !== null && read.has(point.column);
      const keyboard = point.row !== null && point.row === selected;
      const bright = row === null || lit;
      const most = lit && point.column === first.column;
      const shown = kept.get(key, [here, bright, keyboard, most], () => {
        const small = point.quiet === "mark";
        const face = { size: small ? MARK_SIZE : SIZE, italic: small, bold: here };
        const place = {
          x: point.x,
          y: across ? point.y : point.y + face.size * 0.35,
          anchor: across ? /** @type {const} */ ("middle") : undefined,
          fill: here ? look.accent : bright && !point.quiet ? look.ink : look.soft,
        };
        const now = {
          ...(point.row !== null && { tabindex: keyboard ? 0 : -1 }),
          "aria-current": keyboard ? "step" : null,
          "data-current": here ? "" : null,
          "data-first": most ? "" : null,
        };
        const text = label(point.text, face, place, look);
        const named = !laid.dense || here || most || keyboard;
        return mark("g", { ...attributes, ...now }, named ? [target, text] : [target]);
      });
      return unless(hides && (point.row ?? -1) > until, shown);
    };
    const number = (/** @type {Arc} */ each) => {
      const { x, y } = laid.numberOf(each);
      const place = {
        x: x + numbers.x,
        y: y + numbers.y + (across ? 0 : 3.7),
        anchor: across ? /** @type {const} */ ("middle") : undefined,
        fill: look.soft,
      };
      return label(weight(each.weight), { size: 10.5 }, place, look);
    };
    return [
      group(
        "all",
        arcs.map((each) => unless(each.row > until || each.row === row, each.drawn)),
        { class: "arcs-all" },
      ),
      group(
        "current",
        own.map((each) => arc(each, STRONG)),
        { class: "arcs-current" },
      ),
      group("words", words.map(word)),
      group("numbers", (laid.dense ? own.slice(-1) : own).map(number), { class: "arcs-numbers" }),
    ];
  };
}

/** The area of a word that takes the pointer. @param {Point} point @param {Drawing} laid */
function target({ x, y, wide }, { across, tall = TARGET }) {
  const high = Math.min(TARGET, tall);
  const left = (across ? x - wide / 2 : x) - 6;
  const top = y - high / 2 - (across ? 6 : 0);
  return onPage(rect(left, top, wide + 12, high, { rx: 4, class: "arcs-target" }));
}

/** A word for the pointer and for screen readers. @param {Scene["view"]} view @param {Point} point */
const attributesOf = (view, { row, quiet }) => ({
  class: "arcs-word",
  role: row === null ? null : "button",
  "data-row": row,
  "data-quiet": quiet,
  "aria-label": row === null ? null : described(view, row),
});

/** A word with those that it leans on most. @param {Scene["view"]} view @param {number} row */
function described({ weights, rows, columns }, row) {
  const own = weights?.[row] ?? [];
  const most = strongest(own).map((column) => `${named(columns[column])} (${weight(own[column])})`);
  return `${named(rows[row])}: ${listed(most)}`;
}
