/** The picture of a recurrent encoder and decoder, with attention before or after the update, or none. Pure. */

/** @import {Columns} from "./columns.js" */
/** @import {How, Picture, Frame} from "./frame.js" */
/** @import {Network} from "./model.js" */
/** @import {Mark} from "../../draw/marks.js" */

import { columns, stepsFor } from "./columns.js";
import { contextVector } from "./context.js";
import { between, fan, fanHeight } from "./fan.js";
import { frameOf } from "./frame.js";
import { group, mark, unless } from "../../draw/marks.js";
import { FULL, MOVES, arrow, elbow, falling, headAt, straight } from "./marks.js";
import { NUMBERS, headingHeight, keyHeadings, reader, readerHeight } from "./reader.js";
import { past, writer, writerSize } from "./writer.js";

/** Room at the side of a context vector that is beside its column. */
const ASIDE = 24;

/** @param {Network} network @param {How} how @returns {Picture} */
export function recurrent(network, how) {
  const frame = frameOf(network, how);
  const { left, room, cell, small, compact } = frame;
  const [readStep, writeStep] = stepsFor(
    room - ASIDE,
    network.source.length,
    network.target.length + 1,
  );
  const read = columns(network.source.length, left, readStep);
  const write = columns(network.target.length + 1, left, writeStep);
  const head = headingHeight(frame, network.source, read);
  const yStates = head.height;
  const yFan = yStates + readerHeight(frame);
  const drop = compact ? 34 : small ? 56 : frame.narrow ? 68 : 84;
  const fixed = network.kind === "fixed";
  const yContext = fixed ? yFan + (small ? 44 : 60) : yFan + fanHeight(drop) + 2;
  const tall = NUMBERS * (compact ? 2 : cell);
  const yWriter = yContext + tall + (fixed ? (small ? 40 : 56) : compact ? 16 : 24);
  const written = writer(frame, write, yWriter);
  const { state, readout } = written;
  const aside = network.order === "after" ? ASIDE : 0;
  const x = fixed ? (read.left + read.right) / 2 : state.x + aside;
  const keys = keyHeadings(
    frame,
    network.source,
    read,
    network.attended === "cross" ? network.keys : [],
    yStates,
  );
  const middle = fixed
    ? bottleneck(frame, read, { top: yFan, x, y: yContext, tall, states: write, writer: yWriter })
    : attention(frame, read, { y: yFan, drop, x, yContext, tall, write, state, readout });
  const size = writerSize(frame, write);
  const names = [
    ...frame.side(head.height - 7, "input", "x"),
    ...(fixed
      ? []
      : [...frame.side(yFan + 16, "scores", "e"), ...frame.side(yFan + 48, "weights", "α")]),
    ...frame.side(yContext + tall / 2 + 4, fixed ? "one vector" : "context", "c"),
  ];
  return {
    width: Math.ceil(
      Math.max(read.right + head.over, write.right + Math.max(size.over, aside), how.room * 0.5),
    ),
    height: Math.ceil(yWriter + size.height + 4),
    focus: x,
    marks: [
      ...names,
      group("inputs", keys.marks),
      ...middle.under,
      ...reader(frame, read, yStates),
      ...middle.over,
      ...written.marks,
    ],
  };
}

/**
 * The query, the fan of weights, the context and its ways on.
 * @param {Frame} frame @param {Columns} read
 * @param {{y: number, drop: number, x: number, yContext: number, tall: number, write: Columns, state: {x: number, y: number}, readout: {x: number, y: number}}} at
 * @returns {{under: Mark[], over: Mark[]}}
 */
function attention(frame, read, { y, drop, x, yContext, tall, write, state, readout }) {
  const { network, look, later } = frame;
  const { order, step } = network;
  const before = order === "before";
  const asker = before ? write.x(step) : state.x;
  const lane = between(read, Math.min(asker, x - FULL / 2 - 9 - read.step / 2));
  const bend = state.y - 11;
  const query = [
    { x: asker, y: state.y },
    { x: asker, y: bend },
    { x: lane, y: bend },
    { x: lane, y },
  ];
  const line = { stroke: look.accent };
  const end = yContext + tall;
  const toState = before
    ? arrow(
        straight({ x, y: end }, { x, y: state.y - 3 }),
        { x: state.x, y: state.y },
        "down",
        line,
      )
    : [];
  const side = { x: readout.x + 17, y: readout.y + 9 };
  const toReadout = before
    ? arrow(
        elbow([
          { x: x + FULL / 2, y: end - 9 },
          { x: x + FULL / 2 + 9, y: end - 9 },
          { x: x + FULL / 2 + 9, y: side.y },
          { x: side.x + 3, y: side.y },
        ]),
        side,
        "left",
        { ...line, opacity: 0.55 },
      )
    : arrow(past({ x, y: end }, { x: side.x + 3, y: side.y }), side, "left", line);
  return {
    under: fan(frame, read, { y, from: y, drop, x, query: dedupe(query), scored: true }),
    over: [
      unless(later("context"), contextVector(frame, { x, y: yContext, width: FULL, height: tall })),
      unless(later("state"), group("to-state", toState, MOVES)),
      unless(later("word"), group("to-readout", toReadout, MOVES)),
    ],
  };
}

/** @param {{x: number, y: number}[]} points without those that repeat */
const dedupe = (points) =>
  points.filter(
    ({ x, y }, index) => !index || x !== points[index - 1].x || y !== points[index - 1].y,
  );

/**
 * Without attention: one arrow through one vector, from both ends of the encoder to every state.
 * @param {Frame} frame @param {Columns} read
 * @param {{top: number, x: number, y: number, tall: number, states: Columns, writer: number}} at
 * @returns {{under: Mark[], over: Mark[]}}
 */
function bottleneck(frame, read, { top, x, y, tall, states, writer: yWriter }) {
  const { network, look, later, seen } = frame;
  const { step, target, both } = network;
  const ends = both ? [read.count - 1, 0] : [read.count - 1];
  const wide = FULL / ends.length;
  const into = ends.map((j, index) =>
    mark("path", {
      d: falling(
        { x: read.x(j), y: top },
        { x: x - FULL / 2 + wide * (ends.length - 0.5 - index), y: y - FULL / 2 },
      ),
      fill: "none",
      stroke: look.accent,
      "stroke-width": wide,
      "stroke-opacity": 0.75,
    }),
  );
  const out = target.flatMap((_, t) => {
    const opacity = seen(t);
    if (opacity === null) return [];
    const now = t === step;
    const to = { x: states.x(t + 1), y: yWriter };
    const d = falling({ x, y: y + tall }, { x: to.x, y: to.y - (now ? 12 : 4) });
    const drawn = group(`serve:${t}`, [
      mark("path", {
        d,
        fill: "none",
        stroke: now ? look.accent : look.edge,
        "stroke-width": now ? 8 : 1,
        "stroke-opacity": now ? 0.85 : 0.5 * opacity,
      }),
      mark("path", {
        d: headAt({ x: to.x, y: to.y - 1 }, "down", now ? 9 : 3),
        fill: now ? look.accent : look.edge,
        opacity: now ? 1 : 0.5 * opacity,
      }),
    ]);
    return [now ? unless(later("state"), drawn) : drawn];
  });
  return {
    under: [
      group("into", into),
      mark("path", { d: headAt({ x, y: y - 1 }, "down", FULL / 2 - 2), fill: look.accent }),
    ],
    over: [group("serves", out), contextVector(frame, { x, y, width: FULL, height: tall })],
  };
}
