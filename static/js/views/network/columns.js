/** The places of tokens side by side, and their headings. Pure. */

/** @import {Item} from "../../core/types" */
/** @import {Look, Mark} from "../../draw/marks.js" */
/** @import {Face, Measure} from "../../draw/type.js" */

import { spaced } from "../../core/sentences.js";
import { heading } from "../../core/text.js";
import { short, label } from "../../draw/type.js";
import { haloed } from "./marks.js";

/** Limits of the width of a column; below the least the picture is wider than its room. */
const LEAST = 9;
const MOST = 130;
/** The narrowest columns whose headings all have room, slanted; and how much wider than their type. */
const SLANTED = 15;
const APART = 1.25;
const LONGEST = 104;
const TURN = 48;
const SINE = Math.sin((TURN * Math.PI) / 180);
const COSINE = Math.cos((TURN * Math.PI) / 180);

/**
 * @typedef {object} Columns
 * @property {number} count @property {number} step the width of a column
 * @property {number} left @property {number} right
 * @property {(index: number) => number} x the centre of a column
 * @property {number} wide the width of a vector in it
 */

/** @param {number} count @param {number} left @param {number} step @param {boolean} [rtl] @returns {Columns} */
export function columns(count, left, step, rtl = false) {
  const right = left + count * step;
  return {
    count,
    step,
    left,
    right,
    x: (index) => (rtl ? right - (index + 0.5) * step : left + (index + 0.5) * step),
    wide: Math.min(Math.max(step * 0.42, step < 12 ? step - 3 : 6), 26),
  };
}

/** The width of a column if so many share the room. @param {number} room @param {number} count */
export const stepFor = (room, count) => Math.min(MOST, Math.max(LEAST, room / Math.max(count, 1)));

/**
 * The steps of two rows of columns: the same for both if they are about as long.
 * @param {number} room @param {number} one @param {number} other
 */
export function stepsFor(room, one, other) {
  const steps = [stepFor(room, one), stepFor(room, other)];
  const least = Math.min(...steps);
  return least > 0.55 * Math.max(...steps) ? [least, least] : steps;
}

/**
 * The headings of columns: level if all fit, else slanted, else only those that matter.
 * @param {Item[]} items @param {Columns} place
 * @param {{measure: Measure, look: Look, y: number, under?: boolean, strong: Set<number>, tone: (index: number) => {fill?: string, bold?: boolean, opacity?: number}}} how `y`: the edge next to the drawing; `under`: below it
 * @returns {{height: number, over: number, texts: (Mark | null)[]}} `over`: how far the last one extends to the right
 */
export function headings(items, place, { measure, look, y, under = false, strong, tone }) {
  const texts = items.map((item) => heading(item));
  const { least = 0 } = look;
  const [size, lower] = [Math.max(14, least), Math.max(12.5, least)];
  const widest = Math.max(0, ...texts.map(({ text }) => measure(text, { size })));
  const level = [size, lower].find((each) => (widest * each) / size <= place.step - 5);
  const slant = !level;
  const face = (/** @type {number} */ index, /** @type {number} */ of) => ({
    size: texts[index].quiet === "mark" ? Math.max(of * 0.88, Math.min(of, 12)) : of,
    italic: texts[index].quiet === "mark",
    bold: tone(index).bold,
  });
  const small = Math.max(least, Math.min(13, Math.max(11, place.step * 0.8)));
  const apart = Math.max(SLANTED, least * APART);
  const shown = place.step < apart ? new Set(spaced(strong, apart / place.step)) : null;
  let [height, over] = [level ? 20 : 0, 0];
  const marks = texts.map(({ text, quiet }, index) => {
    const { fill = quiet ? look.soft : look.ink, opacity } = tone(index);
    if (shown && !shown.has(index)) return null;
    if (level)
      return label(
        text,
        face(index, level),
        { x: place.x(index), y: under ? y + 15 : y - 6, anchor: "middle", fill },
        look,
        { opacity, ...haloed(look) },
      );
    /** @type {Face} */
    const type = face(index, small);
    const cut = short(text, type, LONGEST, measure);
    const wide = measure(cut, type);
    height = Math.max(height, wide * SINE + 14);
    over = Math.max(over, place.x(index) + wide * COSINE + 8 - place.right);
    const at = { x: place.x(index) + (under ? -3 : 4), y: under ? y + 12 : y - 5 };
    return label(cut, type, { ...at, fill, turn: under ? TURN : -TURN }, look, {
      opacity,
      ...haloed(look),
    });
  });
  // Headings that come and go with the step must not move the rest.
  if (slant && shown) height = LONGEST * SINE * 0.8 + 14;
  return { height: Math.ceil(height), over: Math.max(0, over), texts: marks };
}
