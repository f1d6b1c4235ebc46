/** Deletion and insertion over a photo as they are shown: curves, and the areas below them. Pure. */

/** @import {CurvesSoFar} from "../../core/wire" */
/** @import {Look, Mark} from "../../draw/marks.js" */

import { table } from "../../core/csv.js";
import { signed } from "../../core/text.js";
import { mark, rect } from "../../draw/marks.js";

export const CHART = { width: 240, height: 130 };
const EDGE = 6;
/** @typedef {CurvesSoFar["curves"][number]["way"]} Way */
/** @type {Record<Way, string>} */
export const WAYS = { keys: "as keys", blur: "by blur", mean: "by mean colour" };
const DASHES = {
  attention: null,
  effects: "7 3",
  centre: "2 3",
  "another photo": "5 2 1 2",
  random: null,
};

/** The probability at each fraction, as marks. @param {CurvesSoFar} drawn @param {Way} way @param {"deletion" | "insertion"} does @param {Look} look @returns {Mark[]} */
export function chart(drawn, way, does, look) {
  const { fractions, curves } = drawn;
  const most = mostOf(drawn);
  const x = (/** @type {number} */ share) => EDGE + share * (CHART.width - 2 * EDGE);
  const y = (/** @type {number} */ value) =>
    CHART.height - EDGE - (value / (most || 1)) * (CHART.height - 2 * EDGE);
  const line = (/** @type {CurvesSoFar["curves"][number]} */ { order, ...of }) => {
    const points = of[does].map(
      (log, at) => `${x(fractions[at] ?? 0).toFixed(1)} ${y(chance(log)).toFixed(1)}`,
    );
    const random = order === "random";
    return mark("path", {
      d: `M${points.join("L")}`,
      fill: "none",
      stroke: order === "attention" ? look.accent : random ? look.soft : look.ink,
      "stroke-width": order === "attention" ? 2.5 : random ? 1 : 1.4,
      "stroke-opacity": random ? 0.5 : 1,
      "stroke-dasharray": DASHES[order],
    });
  };
  const shown = curves.filter((curve) => curve.way === way);
  return [
    rect(EDGE, EDGE, CHART.width - 2 * EDGE, CHART.height - 2 * EDGE, {
      fill: "none",
      stroke: look.line,
    }),
    ...shown.filter(({ order }) => order !== "attention").map(line),
    ...shown.filter(({ order }) => order === "attention").map(line),
  ];
}

/** The highest probability of the curves, at the top of each chart. @param {CurvesSoFar} curves */
export const mostOf = ({ curves }) =>
  Math.max(...curves.flatMap(({ deletion, insertion }) => [...deletion, ...insertion]).map(chance));

/** A line of the legend. @param {keyof typeof DASHES} order @param {Look} look @returns {Mark[]} */
export const legend = (order, look) => [
  mark("path", {
    d: "M0 6H28",
    stroke: order === "attention" ? look.accent : order === "random" ? look.soft : look.ink,
    "stroke-width": order === "attention" ? 2.5 : 1.4,
    "stroke-dasharray": DASHES[order],
  }),
];

export const ORDERS = /** @type {(keyof typeof DASHES)[]} */ (Object.keys(DASHES));

/** @param {number | null} log */
const chance = (log) => (log === null ? 0 : Math.exp(log));

/**
 * A row for each order of a way: the areas, and true where none is better.
 * @param {CurvesSoFar["areas"][number]} areas
 */
export function areaRows({ orders, random_deletion, random_insertion }) {
  const two = (/** @type {number | null} */ value) => (value === null ? "–" : signed(value, 2));
  const all = [
    ...orders.map(({ order, deletion, insertion }) => ({ order, deletion, insertion, range: "" })),
    {
      order: /** @type {const} */ ("random"),
      deletion: random_deletion.mean,
      insertion: random_insertion.mean,
      range: `${two(random_deletion.low)} to ${two(random_deletion.high)}; ${two(random_insertion.low)} to ${two(random_insertion.high)}`,
    },
  ];
  const least = Math.min(...all.map(({ deletion }) => deletion ?? Infinity));
  const most = Math.max(...all.map(({ insertion }) => insertion ?? -Infinity));
  return all.map(({ order, deletion, insertion, range }) => ({
    order,
    deletion: two(deletion),
    insertion: two(insertion),
    range,
    best: { deletion: deletion === least, insertion: insertion === most },
  }));
}

/** @param {CurvesSoFar} curves */
export const curvesCsv = ({ curves, fractions }) =>
  table([
    ["way", "order", "fraction", "log p, so much removed", "log p, so much shown"],
    ...curves.flatMap(({ way, order, deletion, insertion }) =>
      fractions.map((fraction, at) => [
        way,
        order,
        String(fraction),
        String(deletion[at]),
        String(insertion[at]),
      ]),
    ),
  ]);
