/** One query: its scores, the softmax, and arrows as wide as the weights. Pure. */

/** @import {Columns} from "./columns.js" */
/** @import {Frame} from "./frame.js" */
/** @import {Look, Mark, Point} from "../../draw/marks.js" */
/** @import {KeyFact} from "./model.js" */

import { colour } from "../../core/colours.js";
import { signed } from "../../core/text.js";
import { byStrength } from "./strength.js";
import { rect, group, mark, round, unless } from "../../draw/marks.js";
import { label } from "../../draw/type.js";
import { FULL, elbow, falling, hatch, haloed, headAt, pressed, weighted } from "./marks.js";

/** Columns that have room for a score and for a weight. */
const ROOMY = 36;
const BUS = 12;
const SOFTMAX = { y: 35, height: 18 };
/** Weights that are strong, and whose number is shown in narrow columns, too. */
const TOLD = 0.3;
/** The width of a number. */
const NUMBER = 30;

/**
 * The height of a fan.
 * @param {number} drop of the arrows
 */
export const fanHeight = (drop) => SOFTMAX.y + SOFTMAX.height + drop;

/** The nearest place between two columns, so that a line there crosses no number. @param {Columns} place @param {number} x */
export const between = (place, x) =>
  place.left + Math.round((x - place.left) / place.step) * place.step;

/**
 * @param {Frame} frame @param {Columns} place of the keys
 * @param {object} how
 * @param {number} how.y the top of the fan @param {number} how.from where the keys end
 * @param {number} how.drop height of the arrows @param {number} how.x of the box that the arrows lead to
 * @param {Point[] | null} how.query the way of the query, from its vector to its last point below the scores
 * @param {boolean} [how.scored] false if there are no scores to show
 * @returns {Mark[]}
 */
export function fan(frame, place, { y, from, drop, x, query, scored = true }) {
  const { network, part, later, look } = frame;
  const { keys } = network;
  const bus = y + BUS;
  const softY = y + SOFTMAX.y;
  const end = softY + SOFTMAX.height + drop;
  return [
    ...(query
      ? [unless(later("query"), part("query", 3, queryMarks(frame, place, query, bus)))]
      : []),
    ...(scored
      ? [
          unless(later("scores"), group("scores", scoreMarks(frame, place, from, bus))),
          unless(
            later("weights"),
            group("soft", [part("softmax", 4, softmax(frame, place, softY))]),
          ),
        ]
      : []),
    unless(
      later("weights"),
      group(
        "arrows",
        arrowsOf(frame, place, { keys, kind: "weight", y: softY + SOFTMAX.height, drop, x }),
      ),
    ),
    ...(keys.length
      ? [
          unless(
            later("weights"),
            mark("path", {
              d: headAt({ x, y: end }, "down", FULL / 2 - 2),
              fill: look.accent,
              "data-head": "",
            }),
          ),
        ]
      : []),
  ];
}

/** A dashed line from the query to all scores. @param {Frame} frame @param {Columns} place @param {Point[]} query @param {number} bus */
function queryMarks({ network: { keys }, look }, place, query, bus) {
  const last = query[query.length - 1];
  const ends = [place.x(0), place.x(keys.length - 1), last.x];
  const dashed = {
    stroke: look.accent,
    "stroke-width": 1.25,
    "stroke-dasharray": "3 3",
    fill: "none",
  };
  const way = elbow([...query, { x: last.x, y: bus }]);
  return [
    mark("path", {
      d: `M${round(Math.min(...ends))} ${bus}H${round(Math.max(...ends))}`,
      ...dashed,
    }),
    mark("path", { d: way, ...dashed }),
    pressed(way),
  ];
}

/** The size of numbers, in pixels. */
const TYPE = 12;
/** Numbers that are larger by so much have no room above those of the weights. */
const CROWDED = 1.2;

/** How much larger numbers are in a drawing that is scaled down. @param {Look} look */
const enlarged = ({ least = 0 }) => Math.max(1, least / TYPE);

/** By which the page finds the scores. */
const SCORE = { "data-score": "" };

/** A dot for each score, the darker the higher, with the number where there is room. @param {Frame} frame @param {Columns} place @param {number} from @param {number} bus */
function scoreMarks({ network: { keys }, look }, place, from, bus) {
  const scores = keys.flatMap(({ score }) => score ?? []);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const radius = Math.min(4.5, place.step * 0.35);
  const larger = enlarged(look);
  const room = place.step / larger;
  const edge = { stroke: look.edge, "stroke-width": 0.75 };
  const ticks = [false, true].map((hidden) =>
    mark("path", {
      d: keys
        .map(({ masked }, j) =>
          masked === hidden ? `M${round(place.x(j))} ${round(from)}V${round(bus - radius)}` : "",
        )
        .join(""),
      fill: "none",
      opacity: hidden ? 0.3 : 1,
      ...edge,
    }),
  );
  const scored = keys.map(({ score, masked }, j) => {
    const x = place.x(j);
    const place4 = { x: x - radius, y: bus - radius, width: 2 * radius, height: 2 * radius };
    if (masked || score === null)
      return group(
        `score:${j}`,
        [
          rect(place4.x, place4.y, place4.width, place4.height, { fill: look.paper, ...edge }),
          ...(masked ? [mark("path", { d: hatch(place4, 3), ...edge })] : []),
        ],
        SCORE,
      );
    const fill = colour(look.palette, 0.08 + (0.92 * (score - low)) / (high - low || 1));
    const digits = room < 46 ? 1 : 2;
    const marks = [
      mark("circle", { cx: round(x), cy: bus, r: round(radius), fill, ...edge }),
      ...(room >= ROOMY && larger < CROWDED
        ? [
            label(
              signed(score, digits),
              { size: TYPE },
              { x, y: bus + 17, anchor: "middle", fill: look.soft },
              look,
              haloed(look),
            ),
          ]
        : []),
    ];
    return group(`score:${j}`, marks, SCORE);
  });
  return [...ticks, ...scored];
}

/** The band in which scores become weights, with their numbers. @param {Frame} frame @param {Columns} place @param {number} y */
function softmax({ network: { keys }, look }, place, y) {
  const top = Math.max(1e-9, ...keys.map(({ weight }) => weight));
  const room = place.step / enlarged(look);
  /** @type {number[]} */
  const told = [];
  for (const j of byStrength(keys)) {
    const far = told.every((other) => Math.abs(other - j) * room >= NUMBER);
    if (!keys[j].masked && far && (room >= ROOMY || keys[j].weight > TOLD)) told.push(j);
  }
  const numbers = told
    .sort((a, b) => a - b)
    .map((j) => {
      const strong = keys[j].weight > TOLD || keys[j].weight > 0.5 * top;
      const number = label(
        keys[j].weight.toFixed(2),
        { size: TYPE, bold: strong },
        { x: place.x(j), y: y + 13, anchor: "middle", fill: strong ? look.accent : look.soft },
        look,
      );
      return { ...number, key: `number:${j}` };
    });
  return [
    rect(place.left + 2, y, place.right - place.left - 4, SOFTMAX.height, {
      rx: 9,
      fill: look.grid,
      stroke: look.line,
    }),
    ...numbers,
  ];
}

/**
 * The arrows, side by side where they end, so that together they are as wide as the weight 1.
 * @param {Frame} frame @param {Columns} place
 * @param {{keys: KeyFact[], kind: string, y: number, drop: number, x: number}} how `kind` of the parts
 * @returns {Mark[]}
 */
export function arrowsOf({ look, part }, place, { keys, kind, y, drop, x }) {
  const top = Math.max(1e-9, ...keys.map(({ weight }) => weight));
  const order = keys.map((_, j) => j).sort((a, b) => place.x(a) - place.x(b));
  let at = x - FULL / 2;
  return order.flatMap((j) => {
    const { weight, masked } = keys[j];
    const wide = weight * FULL;
    const end = { x: at + wide / 2, y: y + drop - FULL / 2 };
    at += wide;
    if (masked) return [];
    const d = falling({ x: place.x(j), y }, end);
    return [
      part(`${kind}:${j}`, 5, [
        pressed(d, round(Math.max(8, wide))),
        weighted(d, weight, top, look),
      ]),
    ];
  });
}
