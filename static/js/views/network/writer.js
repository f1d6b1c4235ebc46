/** A recurrent decoder as columns: its states, and the words written, each fed back. Pure. */

/** @import {Columns} from "./columns.js" */
/** @import {Frame} from "./frame.js" */
/** @import {Item} from "../../core/types" */
/** @import {Mark} from "../../draw/marks.js" */

import { heading } from "../../core/text.js";
import { cellsOf, frameAround, shaded } from "./cells.js";
import { headings } from "./columns.js";
import { rect, group, round, unless } from "../../draw/marks.js";
import { label } from "../../draw/type.js";
import { arrow, elbow, largest, means, straight } from "./marks.js";

const NUMBERS = 16;
const READOUT = { wide: 34, high: 18, gap: 15 };
const JOINED = 14;

/** @type {Item} */
const START = { text: "<s>", start: 0, end: 0, special: true, tokens: [] };

/** @param {Frame} frame */
const stateHeight = ({ cell }) => NUMBERS * (cell - 1);

/**
 * The heights of a writer.
 * @param {Frame} frame @param {Columns} place with a column for the first state
 */
export function writerSize(frame, place) {
  const states = stateHeight(frame);
  const { height, over } = headings([START, ...frame.network.target], place, {
    measure: frame.measure,
    look: frame.look,
    y: 0,
    under: true,
    strong: new Set([1]),
    tone: () => ({}),
  });
  return {
    states,
    readout: states + READOUT.gap,
    words: states + 2 * READOUT.gap + READOUT.high,
    height: states + 2 * READOUT.gap + READOUT.high + height,
    over,
  };
}

/**
 * @param {Frame} frame @param {Columns} place with a column for the first state @param {number} y
 * @returns {{marks: Mark[], state: {x: number, y: number}, readout: {x: number, y: number}}} `state`: the upper edge of the state of this step
 */
export function writer(frame, place, y) {
  const { network, look, part, later, seen, side } = frame;
  const { target, states, step } = network;
  const size = writerSize(frame, place);
  const vectors = states.map((each) => each && means(each.summary, NUMBERS));
  const most = largest(vectors);
  const yReadout = y + size.readout;
  const yWords = y + size.words;
  const places = [-1, ...target.map((_, t) => t)];
  const placeOf = (/** @type {number} */ t) => ({
    x: place.x(t + 1),
    y,
    width: place.wide,
    height: size.states,
  });
  const cells = vectors
    .slice(0, later("state") ? step : step + 1)
    .flatMap((values, t) => cellsOf(values, placeOf(t), most));
  const drawnStates = places.flatMap((t) => {
    const opacity = t < 0 ? 1 : seen(t);
    if (opacity === null) return [];
    const values = t >= 0 && t <= step ? vectors[t] : null;
    const now = t === step;
    const at = placeOf(t);
    const frameOfState = now
      ? { stroke: look.accent, "stroke-width": 2 }
      : t < 0
        ? { "stroke-dasharray": "2 2" }
        : {};
    const marks = [frameAround(at, Boolean(values), look, frameOfState)];
    if (t < 0 && place.wide > 18)
      marks.push(
        label(
          "s₀",
          { size: 13, serif: true, italic: true },
          { x: at.x, y: y + size.states / 2 + 4, anchor: "middle", fill: look.soft },
          look,
        ),
      );
    const drawn = part(`state:${t + 1}`, 7, marks, { opacity });
    return [now ? unless(later("state"), drawn) : drawn];
  });
  return {
    state: { x: place.x(step + 1), y },
    readout: { x: place.x(step + 1), y: yReadout },
    marks: [
      ...side(y + size.states / 2 + 4, "decoder", "s"),
      ...side(yWords + 15, "output", "y"),
      group("passed-on", passedOn(frame, place, y + size.states / 2)),
      group("fed-back", fedBack(frame, place, { from: yWords + 10, to: y + size.states * 0.82 })),
      group("state-cells", shaded(cells, look)),
      group("writer-states", drawnStates),
      group(
        "readouts",
        readouts(frame, place, { from: y + size.states, y: yReadout, words: yWords }),
      ),
      ...words(frame, place, yWords),
    ],
  };
}

/** The arrows from state to state. @param {Frame} frame @param {Columns} place @param {number} y */
function passedOn({ network: { target, step }, look, seen, later }, place, y) {
  if (place.step < JOINED) return [];
  return target.flatMap((_, t) => {
    const opacity = seen(t);
    if (opacity === null) return [];
    const side = place.x(t) < place.x(t + 1) ? 1 : -1;
    const [from, to] = [
      place.x(t) + (side * place.wide) / 2 + side * 1.5,
      place.x(t + 1) - (side * place.wide) / 2 - side * 1.5,
    ];
    const marks = group(
      `pass:${t}`,
      arrow(
        straight({ x: from, y }, { x: to - side * 2, y }),
        { x: to, y },
        side > 0 ? "right" : "left",
        {
          stroke: t === step ? look.accent : look.edge,
          opacity,
        },
      ),
    );
    return [t === step ? unless(later("state"), marks) : marks];
  });
}

/** The arrows of the words that are inputs of the next step. @param {Frame} frame @param {Columns} place @param {{from: number, to: number}} heights */
function fedBack(
  { network: { target, step }, look, measure, part, seen, later },
  place,
  { from, to },
) {
  return target.flatMap((_, t) => {
    const opacity = seen(t);
    if (opacity === null) return [];
    const [a, b] = [place.x(t), place.x(t + 1)];
    const side = a < b ? 1 : -1;
    const gap = Math.min(place.wide / 2 + 3, place.step * 0.4);
    const word = measure(heading(t ? target[t - 1] : START).text, { size: 14 }) / 2 + 4;
    const start = { x: a + side * Math.min(word, place.step * 0.46), y: from };
    const end = { x: b - side * gap, y: to };
    const middle = (start.x + end.x) / 2;
    const d = `M${round(start.x)} ${round(start.y)}C${round(middle)} ${round(start.y)} ${round(middle)} ${round(end.y)} ${round(end.x - side * 3)} ${round(end.y)}`;
    const now = t === step;
    const drawn = arrow(d, end, side > 0 ? "right" : "left", {
      stroke: now ? look.accent : look.edge,
      opacity: now ? 1 : Math.min(opacity, 0.55),
    });
    const marks = t > 0 ? part(`feedback:${t - 1}`, 8, drawn) : group("feedback:start", drawn);
    return [now ? unless(later("state"), marks) : marks];
  });
}

/** The way from state to word. @param {Frame} frame @param {Columns} place @param {{from: number, y: number, words: number}} heights */
function readouts({ network, look, part, seen, later }, place, { from, y, words: yWords }) {
  const { target, step, order } = network;
  return target.flatMap((_, t) => {
    const opacity = seen(t);
    if (opacity === null) return [];
    const x = place.x(t + 1);
    const now = t === step;
    const line = {
      stroke: now ? look.accent : look.edge,
      opacity: now ? 1 : Math.min(opacity, 0.55),
    };
    if (!now)
      return [
        group(
          `readout:${t}`,
          arrow(straight({ x, y: from + 2 }, { x, y: yWords - 2 }), { x, y: yWords }, "down", line),
        ),
      ];
    return [
      unless(
        later("word"),
        group(`readout:${t}`, [
          ...arrow(straight({ x, y: from + 1 }, { x, y: y - 3 }), { x, y }, "down", line),
          ...arrow(
            straight({ x, y: y + READOUT.high }, { x, y: yWords - 3 }),
            { x, y: yWords },
            "down",
            line,
          ),
          part("readout", 9, [
            rect(x - READOUT.wide / 2, y, READOUT.wide, READOUT.high, {
              rx: 5,
              fill: look.paper,
              stroke: look.accent,
            }),
            label(
              order === "after" ? "h̃" : "tanh",
              {
                size: order === "after" ? 14 : 12,
                serif: order === "after",
                italic: order === "after",
              },
              { x, y: y + 13, anchor: "middle" },
              look,
            ),
          ]),
        ]),
      ),
    ];
  });
}

/** The words under the states, after the start token. @param {Frame} frame @param {Columns} place @param {number} y */
export function words(frame, place, y, first = START) {
  const { network, look, measure, part, seen, later } = frame;
  const { target, step } = network;
  const items = [first, ...target];
  const strong = new Set([step + 1, step, step + 2, ...items.keys()]);
  const { texts } = headings(items, place, {
    measure,
    look,
    y,
    under: true,
    strong,
    tone: (index) => ({
      ...(index - 1 === step ? { bold: true, fill: look.accent } : {}),
      opacity: index === 0 ? 1 : (seen(index - 1) ?? 0),
    }),
  });
  const marks = texts.flatMap((text, index) => {
    if (!text || (index > 0 && seen(index - 1) === null)) return [];
    if (!index) return [part("start", 10, [text])];
    const drawn = part(`output:${index - 1}`, 10, [text], {
      "data-row": index - 1,
      "data-now": index - 1 === step ? "" : null,
    });
    return [index - 1 === step ? unless(later("word"), drawn) : drawn];
  });
  return [group("words", marks)];
}

/** A way from a box to the side of another, past what is between. @param {{x: number, y: number}} from @param {{x: number, y: number}} to */
export const past = (from, to) => elbow([from, { x: from.x, y: to.y }, to], 8);
