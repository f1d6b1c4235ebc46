/** Glimpses at a picture of a digit: a row for each, with the belief in each digit. Pure. */

/** @import {Box, GlimpseScene, GlimpseSettings, GlimpseTrace, Model, ModelKind, Step} from "../types" */

import { GLIMPSE_PARTS } from "../step_parts.js";
import { mapScene } from "../map_scene.js";
import { percent } from "../text.js";
import { choices } from "../trace.js";

/** @type {ModelKind<"glimpses">} */
export const glimpses = {
  name: "glimpses",
  sceneOf,
  arrays,
  lines: () => ({ row: "Glimpse", column: "Digit" }),
  sentence,
  mapNote: () =>
    "Each row is a glimpse: how probable the network holds each digit after it. The numbers of a row add up to 1. Where it looks is in the view Path.",
  input: () => "a picture",
  headLines: ({ trace }, until = Infinity) => {
    const last = Math.min(until, trace.steps.length - 1);
    const text = trace.steps[last]?.alternatives[0]?.text ?? trace.text;
    return [{ name: "Digit", text, shown: Infinity }];
  },
  spoken: ["glimpses", "digits"],
  number: "Belief",
  caption: "Beliefs: a row for each glimpse, a column for each digit",
  uncovered: true,
};

/**
 * Without a step, the scene stands at the last glimpse, after which the network answers.
 * @param {GlimpseTrace} trace @param {GlimpseSettings} settings @param {Model} model @returns {GlimpseScene}
 */
function sceneOf(trace, settings, model) {
  const digits = classesOf(trace.steps);
  return mapScene(glimpses, trace, settings, model, {
    found: choices(trace, { map: null, layer: null, head: null, pool: null }),
    start: Infinity,
    steps: GLIMPSE_PARTS.length,
    columns: digits.map((text, index) => ({
      text,
      start: index,
      end: index + 1,
      special: false,
      tokens: [index],
    })),
    view: {
      rowText: trace.text,
      columnText: digits.join(""),
      weights: trace.steps.map(beliefOf),
      scores: null,
      symbol: "p",
    },
  });
}

/** The names of the classes, in their order. @param {Step[]} steps */
const classesOf = ([first]) => inOrder(first).map(({ text }) => text);

/** The alternatives of a step in the order of their classes. @param {Step | undefined} step */
export const inOrder = (step) => [...(step?.alternatives ?? [])].sort((a, b) => a.id - b.id);

/** @param {Step} step */
const beliefOf = (step) => inOrder(step).map(({ probability }) => probability);

/** The middle of a glimpse. @param {Box[]} boxes */
export function middleOf([{ left, top, side }]) {
  return { x: left + side / 2, y: top + side / 2 };
}

/** The part of the picture where a glimpse is, in words. @param {Box[]} boxes @param {{width: number, height: number}} picture */
function whereabouts(boxes, { width, height }) {
  const { x, y } = middleOf(boxes);
  const third = (/** @type {number} */ share, /** @type {string[]} */ names) =>
    names[Math.min(2, Math.max(0, Math.floor(share * 3)))];
  const down = third(y / height, ["top", "", "bottom"]);
  const across = third(x / width, ["left", "", "right"]);
  const place = [down, across].filter(Boolean).join(" ");
  return place ? `at the ${place}` : "in the middle";
}

/** The sentence of a glimpse: where it is, and the belief after it. @param {GlimpseScene} scene @param {number} row */
function sentence({ trace, rows }, row) {
  const boxes = trace.target.glimpses[row];
  if (!boxes) return "";
  const { x, y } = middleOf(boxes);
  const place = `${whereabouts(boxes, trace.picture)} (${Math.round(x)} across, ${Math.round(y)} down)`;
  const [best] = trace.steps[row]?.alternatives ?? [];
  const belief = best
    ? ` ${row === rows.length - 1 ? "It reads" : "So far it would read"} “${best.text}” (probability ${percent(best.probability)}).`
    : "";
  return `Glimpse ${row + 1} of ${rows.length}, ${place}.${belief}`;
}

/** The glimpses as arrays for NumPy: `beliefs` by glimpse and digit, `boxes` (left, top, side) by glimpse and scale, and `seen`, the patches. @param {GlimpseScene} scene */
function arrays({ view: { rows, columns, weights }, trace: { steps, target } }) {
  const seen = steps.flatMap((step) => (step.seen ? [step.seen] : []));
  const [first] = seen;
  const { length: scales } = target.glimpses[0];
  return {
    beliefs: { shape: [rows.length, columns.length], data: (weights ?? []).flat() },
    digits: { shape: [columns.length], data: columns.map(({ text }) => text) },
    boxes: {
      shape: [rows.length, scales, 3],
      data: target.glimpses.flat().flatMap(({ left, top, side }) => [left, top, side]),
    },
    ...(first && {
      seen: {
        shape: [seen.length, first.length, first[0].length, first[0][0].length],
        data: seen.flat(3),
      },
    }),
  };
}
