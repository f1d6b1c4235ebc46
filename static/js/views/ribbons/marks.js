/** The ribbons between two sentences, as marks for page and paper. Pure. */

/** @import {Scene} from "../../core/types" */
/** @import {Look, Mark} from "../../draw/marks.js" */
/** @import {Drawing, LinkLine, Place} from "./model.js" */

import { languageOf } from "../../core/text.js";
import { Kept } from "../../draw/kept.js";
import { mark, onPage, rect, unless } from "../../draw/marks.js";
import { label } from "../../draw/type.js";

/** Size of the words. */
export const SIZE = 16;
const MARK_SIZE = 12;
/** The attributes of the area of a word. */
const TARGET = { class: "arcs-target" };
/** Opacity of a ribbon: where none is lit, of the lit ones, and of the others. */
const OPACITY = { all: 0.38, lit: 0.8, others: 0.16 };

/**
 * @typedef {object} Now
 * @property {number | null} row the one whose ribbons are lit
 * @property {number | null} column the same
 * @property {number | null} current the row that is set in bold
 * @property {number} until the last row that is written
 */

/**
 * @param {Pick<Scene, "view" | "model">} scene @param {Drawing} laid @param {Look} look
 * @param {LinkLine[]} [lines] of linked words
 * @returns {(now: Now) => Mark[]}
 */
export function ribbonsDrawing({ view, model }, laid, look, lines = []) {
  const lang = {
    column: languageOf(model, view.columnAxis) || null,
    row: languageOf(model, view.rowAxis) || null,
  };
  const kept = new Kept();

  return ({ row, column, current, until }) => {
    const none = row === null && column === null;
    const lit = laid.ribbons.filter((each) => each.row === row || each.column === column);
    const [rows, columns] = [new Set([row]), new Set([column])];
    for (const each of lit) (rows.add(each.row), columns.add(each.column));
    const strong = new Set(lit);
    const own = lit.filter((each) => each.row === (row ?? current));
    const first = own.reduce((most, each) => (each.weight > most.weight ? each : most), own[0]);
    const ribbons = laid.ribbons.map((each) => {
      const opacity = none ? OPACITY.all : strong.has(each) ? OPACITY.lit : OPACITY.others;
      const drawn = kept.get(`${each.row} ${each.column}`, [opacity], () =>
        mark("path", {
          d: each.path,
          fill: look.accent,
          "fill-opacity": opacity,
          class: "ribbon",
          "data-lit": opacity === OPACITY.lit ? "" : null,
          "data-row": each.row,
          "data-column": each.column,
        }),
      );
      return unless(each.row > until, drawn);
    });
    const word = (
      /** @type {Place} */ { text, quiet, x, y, from, to, wide },
      /** @type {"row" | "column"} */ kind,
      /** @type {number} */ index,
      /** @type {boolean} */ bright,
      bold = false,
    ) => {
      const at = kind === "row" ? row : column;
      const small = quiet === "mark";
      const most = kind === "column" && index === first?.column;
      const face = { size: small ? MARK_SIZE : SIZE, italic: small, bold };
      const place = {
        x,
        y: laid.across ? y : y + face.size * 0.35,
        anchor: laid.across ? "middle" : kind === "row" ? "start" : "end",
        fill: bold ? look.accent : bright && !quiet ? look.ink : look.soft,
      };
      const attributes = {
        class: "end",
        [`data-${kind}`]: index,
        "data-quiet": quiet,
        "data-lit": bright ? "" : null,
        "data-current": bold ? "" : null,
        "data-first": most ? "" : null,
        lang: lang[kind],
      };
      const shown = !laid.dense || bold || most || index === at;
      return kept.get(`${kind} ${index}`, [bright, bold, most, shown], () =>
        mark("g", attributes, [
          // Takes the pointer, also where the word has no room.
          laid.dense
            ? onPage(rect(kind === "row" ? x : x - wide, from, wide, to - from, TARGET))
            : null,
          shown ? label(text, face, /** @type {any} */ (place), look) : null,
        ]),
      );
    };
    return [
      ...ribbons,
      ...lines.map((line) => unless(line.row > until, lineOf(line, look))),
      ...laid.columns.map((place, index) =>
        word(place, "column", index, none || columns.has(index)),
      ),
      ...laid.rows.map((place, index) =>
        unless(
          index > until,
          word(place, "row", index, none || rows.has(index), index === current),
        ),
      ),
    ];
  };
}

/** The line of a link. @param {LinkLine} line @param {Look} look */
const lineOf = ({ path, possible }, look) =>
  mark("path", {
    d: path,
    fill: "none",
    stroke: look.ink,
    "stroke-width": 1.75,
    "stroke-dasharray": possible ? "2 4" : null,
    "stroke-linecap": "round",
    "pointer-events": "none",
    class: "link",
  });
