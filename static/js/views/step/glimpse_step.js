/** One glimpse of a network part by part, with its texts and formulas. Pure. */

/** @import {GlimpseScene} from "../../core/types" */
/** @import {Content, PartLine, PartText, StepModel} from "./model.js" */
/** @import {GlimpsePart} from "../../core/step_parts.js" */

import { inOrder, middleOf } from "../../core/kinds/glimpses.js";
import { GLIMPSE_PARTS } from "../../core/step_parts.js";
import { below, percent, signed } from "../../core/text.js";
import { vector } from "./model.js";
import { sizeOf } from "./part_line.js";
import { counted, learned } from "./symbols.js";

/** The number of parts on the left. */
const LEFT = 3;

/** @param {GlimpseScene} scene @param {number} row @returns {StepModel<GlimpsePart>} */
export const stepOf = (scene, row) => ({
  parts: [...GLIMPSE_PARTS],
  left: LEFT,
  explained: true,
  textOf: (part) => glimpseText(part, scene, row),
  contentsOf: (part) => contentsOf(part, scene, row),
  lines: linesOf(scene, row),
});

/** @param {GlimpseScene} scene @param {number} row @returns {Record<GlimpsePart, PartLine>} */
function linesOf(scene, row) {
  const { trace } = scene;
  const step = trace.steps[row];
  const { x, y } = middleOf(trace.target.glimpses[row]);
  const [best] = step?.alternatives ?? [];
  return {
    place: {
      name: "Place",
      does: row ? "The state says where to look." : "The first glimpse is in the middle.",
      result: `${Math.round(x)} across, ${Math.round(y)} down`,
    },
    sensor: {
      name: "Patches",
      does: "The squares around the place are read.",
      result: `${step?.seen?.length ?? 0} squares`,
    },
    vector: {
      name: "Glimpse",
      does: "What was seen, and where, becomes one vector.",
      result: sizeOf(step?.context),
    },
    state: {
      name: "State",
      does: "The glimpse is added to what earlier ones have seen.",
      result: sizeOf(step?.state),
    },
    belief: {
      name: "Belief",
      does: "The state makes a probability for each digit.",
      result: best ? `${best.text} ${percent(best.probability)}` : "",
    },
  };
}

/** @param {GlimpsePart} part @param {GlimpseScene} scene @param {number} row @returns {Content[]} */
function contentsOf(part, { trace }, row) {
  const step = trace.steps[row];
  switch (part) {
    case "place":
      return row ? vector(part, [`h${below(row)}`, "the state before"], step?.query) : [];
    case "sensor":
      return [{ patches: row }];
    case "vector":
      return vector(part, [`g${below(row + 1)}`, "the glimpse"], step?.context);
    case "state":
      return vector(part, [`h${below(row + 1)}`, "the state after"], step?.state);
    default:
      return [{ alternatives: { all: inOrder(step), written: Number(trace.text), digits: true } }];
  }
}

/** @param {GlimpsePart} part @param {GlimpseScene} scene @param {number} row @returns {PartText} */
export function glimpseText(part, scene, row) {
  const step = scene.trace.steps[row];
  const number = row + 1;
  const last = number === scene.rows.length;
  const { place, pixels } = placeOf(scene, row);
  const h = { symbol: `h${below(number - 1)}`, meaning: counted("the state before", step?.query) };
  const l = { symbol: `l${below(number)}`, meaning: `${place}, ${pixels}` };
  const g = {
    symbol: `g${below(number)}`,
    meaning: counted("what was seen, and where", step?.context),
  };
  const next = { symbol: `h${below(number)}`, meaning: counted("the state after", step?.state) };
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
