/** One glimpse of a network part by part, with its texts and formulas. Pure. */

/** @import {GlimpseScene, Step, Vector} from "../../core/types" */
/** @import {Symbol} from "./step_model.js" */
/** @import {GlimpsePart} from "../../core/step_parts.js" */

import { middleOf } from "../../core/kinds/glimpses.js";
import { below, signed } from "../../core/text.js";

/**
 * @param {GlimpsePart} part @param {GlimpseScene} scene @param {number} row
 * @returns {{title: string, says: string, formula: (string | Symbol)[]}}
 */
export function glimpseText(part, scene, row) {
  const step = scene.trace.steps[row];
  const number = row + 1;
  const last = number === scene.rows.length;
  const { place, pixels } = placeOf(scene, row);
  const h = vector(`h${below(number - 1)}`, "the state before", step?.query);
  const l = { symbol: `l${below(number)}`, meaning: `${place}, ${pixels}` };
  const g = vector(`g${below(number)}`, "what was seen, and where", step?.context);
  const next = vector(`h${below(number)}`, "the state after", step?.state);
  const seen = { symbol: `ρ${below(number)}`, meaning: "the pixels of the patches" };
  switch (part) {
    case "place":
      return {
        title: "Where to look",
        says: row
          ? `From the state, a place between −1 and 1 each way: ${place}, which is ${pixels}. In training the place was drawn around it; here it is the place itself.`
          : `The first glimpse is always in the middle of the picture, ${pixels}.`,
        formula: row
          ? [l, " = tanh(", learned("L"), " relu(", learned("K"), " ", h, "))"]
          : [l, " = (0, 0)"],
      };
    case "sensor":
      return {
        title: "What the sensor sees",
        says: "Squares around the place, each twice as wide as the one before and with as many pixels. Outside of the picture there is nothing.",
        formula: [seen, " = sensor(picture, ", l, ")"],
      };
    case "vector":
      return {
        title: "What and where become one vector",
        says: "Pixels and place are encoded apart and added.",
        formula: [
          ...[g, " = relu(", learned("W"), " relu(", learned("A"), " ", seen, ") + "],
          ...[learned("U"), " relu(", learned("B"), " ", l, "))"],
        ],
      };
    case "state":
      return {
        title: last ? "The last state" : "The new state",
        says: "The state keeps what earlier glimpses saw.",
        formula: [next, " = relu(", learned("V"), " ", h, " + ", g, ")"],
      };
    default:
      return {
        title: last ? "The digit" : "The belief so far",
        says: last
          ? "The likeliest digit after the last glimpse is the answer."
          : "The digit that it would read if it stopped here.",
        formula: ["P(digit) = softmax(", learned("C"), " ", next, ")"],
      };
  }
}

/** @param {string} symbol */
const learned = (symbol) => ({ symbol, meaning: "learned in training" });

/** @param {string} symbol @param {string} meaning @param {Vector | null | undefined} value @returns {Symbol} */
const vector = (symbol, meaning, value) => ({
  symbol,
  meaning: value ? `${meaning}: ${value.size} numbers` : meaning,
});

/** The place of a glimpse, as the network has it and in pixels. @param {GlimpseScene} scene @param {number} row */
export function placeOf({ trace: { target, picture } }, row) {
  const { x, y } = middleOf(target.glimpses[row]);
  const across = (2 * x) / picture.width - 1;
  const down = (2 * y) / picture.height - 1;
  return {
    place: `(${signed(across, 2)}, ${signed(down, 2)})`,
    pixels: `pixel ${Math.round(x)} across and ${Math.round(y)} down`,
  };
}

/** The vector that a part shows. @param {GlimpsePart} part @param {Step | undefined} step @param {number} row @returns {{symbol: string, meaning: string, value: Vector} | null} */
export function glimpseVector(part, step, row) {
  const shown = {
    place: row
      ? { symbol: `h${below(row)}`, meaning: "the state before", value: step?.query }
      : null,
    sensor: null,
    vector: { symbol: `g${below(row + 1)}`, meaning: "the glimpse", value: step?.context },
    state: { symbol: `h${below(row + 1)}`, meaning: "the state after", value: step?.state },
    belief: null,
  }[part];
  return shown?.value ? { ...shown, value: shown.value } : null;
}
