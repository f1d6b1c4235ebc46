/** The picture of a network that looks at a photo: a captioner, or one that answers a question. Pure. */

/** @import {How, Picture, Frame} from "./frame.js" */
/** @import {Network, Seen} from "./model.js" */
/** @import {Mark, Point} from "../../draw/marks.js" */
/** @import {Columns} from "./columns.js" */

import { ask } from "./ask.js";
import { columns, stepFor } from "./columns.js";
import { contextVector } from "./context.js";
import { NAMES, frameOf, namedAt } from "./frame.js";
import { group, mark, unless } from "../../draw/marks.js";
import { label } from "../../draw/type.js";
import { FULL, MOVES, pressed, arrow, elbow, haloed, node, straight } from "./marks.js";
import { NUMBERS } from "./reader.js";
import { tower, towerSize } from "./tower.js";
import { ABOVE, BETWEEN, around, contextWay } from "./transformer.js";
import { BESIDE, CAPTION, cellArrows, visionAbove } from "./vision.js";
import { past, writer, writerSize } from "./writer.js";

const ASIDE = 30;

/** @param {Network} network @param {How} how @returns {Picture} */
export function captioner(network, how) {
  const { seen } = network;
  if (!seen) throw new Error("a captioner needs a picture");
  if (network.kind === "ask") return ask(network, seen, how);
  const frame = frameOf(network, how);
  if (!network.decoder.length) return recurrent(frame, seen, how.room);
  return how.aside ? beside(frame, seen) : layered(frame, seen, how.room);
}

/** @param {Frame} frame @param {Seen} seen @param {number} whole @returns {Picture} */
function recurrent(frame, seen, whole) {
  const { network, left, room, cell, side, small, narrow } = frame;
  const top = visionAbove(frame, seen);
  const step = stepFor(room - ASIDE, network.target.length + 1);
  const write = columns(network.target.length + 1, left, step);
  const drop = small ? 50 : narrow ? 70 : 84;
  const yContext = top.bottom + drop + 2;
  const tall = NUMBERS * (cell - 1);
  const yWriter = yContext + tall + (seen.gate === null ? 24 : 50);
  const written = writer(frame, write, yWriter);
  const x = written.state.x;
  const size = writerSize(frame, write);
  return {
    width: Math.ceil(
      Math.max(
        whole * 0.6,
        write.right + Math.max(size.over, ASIDE),
        top.size.grid.x + top.size.grid.width + (narrow ? 2 : BESIDE),
      ),
    ),
    height: Math.ceil(yWriter + size.height + 4),
    focus: x,
    marks: [
      ...side(CAPTION + 4, narrow ? "" : "keys", ""),
      ...side(top.bottom + drop / 2, "weights", "α"),
      ...side(yContext + tall / 2 + 4, "context", "c"),
      ...top.marks,
      queryOf(
        frame,
        top.size.grid,
        [yWriter, yWriter - 10].map((y) => ({ x: write.x(network.step), y })),
        Math.min(write.x(network.step), x - FULL / 2 - 10),
      ),
      ...cellArrows(frame, seen, top.size.grid, { x, y: top.bottom + drop }),
      ...contextMarks(frame, seen, {
        x,
        y: yContext,
        tall,
        state: written.state,
        readout: written.readout,
      }),
      ...written.marks,
    ],
  };
}

/** The query as a dashed line up to the cells. @param {Frame} frame @param {import("../../draw/marks.js").Area} grid @param {Point[]} from @param {number} lane */
function queryOf({ look, part, later }, grid, from, lane) {
  const start = from[from.length - 1];
  const end = { x: grid.x + 12, y: grid.y + grid.height + 3 };
  const way = elbow([
    ...from,
    { x: lane, y: start.y },
    { x: lane, y: end.y + 14 },
    { x: end.x, y: end.y + 14 },
    { x: end.x, y: end.y + 3 },
  ]);
  return unless(
    later("query"),
    part("query", 3, [
      ...arrow(way, end, "up", { stroke: look.accent, "stroke-dasharray": "3 3" }),
      pressed(way),
    ]),
  );
}

/** The context, its gate, and its ways into state and word. @param {Frame} frame @param {Seen} seen @param {{x: number, y: number, tall: number, state: Point, readout: Point}} at @returns {Mark[]} */
function contextMarks(frame, { gate }, { x, y, tall, state, readout }) {
  const { look, part, later } = frame;
  const line = { stroke: look.accent };
  const end = y + tall;
  const valve = { x, y: end + 22 };
  const gated = gate !== null;
  const sideOf = { x: readout.x + 17, y: readout.y + 9 };
  const lane = x + FULL / 2 + 9;
  return [
    unless(later("context"), contextVector(frame, { x, y, width: FULL, height: tall })),
    unless(
      later("state"),
      group(
        "to-state",
        [
          ...(gated
            ? [
                mark("path", {
                  d: straight({ x, y: end }, { x, y: valve.y - 9 }),
                  stroke: look.accent,
                  "stroke-width": 1.25,
                }),
              ]
            : []),
          ...arrow(
            straight({ x, y: gated ? valve.y + 9 : end }, { x, y: state.y - 3 }),
            state,
            "down",
            line,
          ),
        ],
        MOVES,
      ),
    ),
    ...(gated
      ? [
          unless(
            later("context"),
            part("gate", 6.5, [
              ...node("×", valve, 8, look, { stroke: look.accent, "stroke-width": 1.5 }),
              label(
                `β ${gate.toFixed(2)}`,
                { size: 12, serif: true, italic: true },
                { x: valve.x + 15, y: valve.y + 4 },
                look,
                haloed(look),
              ),
            ]),
          ),
        ]
      : []),
    unless(
      later("word"),
      group(
        "to-readout",
        arrow(
          past({ x: lane, y: gated ? valve.y + 12 : end - 8 }, { x: sideOf.x + 3, y: sideOf.y }),
          sideOf,
          "left",
          { ...line, opacity: 0.6 },
        ),
        MOVES,
      ),
    ),
  ];
}

/** @param {Frame} frame @param {Seen} seen @param {number} whole @returns {Picture} */
function layered(frame, seen, whole) {
  const { network, left, room, cell, side, small, narrow } = frame;
  const top = visionAbove(frame, seen);
  const step = stepFor(room - ASIDE, network.target.length);
  const write = columns(network.target.length, left, step);
  const drop = small ? 50 : narrow ? 66 : 76;
  const yContext = top.bottom + drop + 2;
  const yTower = yContext + 12 * (cell - 1) + 10;
  const size = towerSize(frame, write);
  const written = tower(frame, write, yTower);
  const lane = write.x(network.step) + Math.max(step / 2, FULL / 2 + 2);
  const at = { x: write.x(network.step), y: written.crossed + 3 };
  return {
    width: Math.ceil(
      Math.max(
        whole * 0.6,
        write.right + Math.max(size.over, ASIDE),
        top.size.grid.x + top.size.grid.width + (narrow ? 2 : BESIDE),
      ),
    ),
    height: Math.ceil(yTower + size.height + 4),
    focus: lane,
    marks: [
      ...side(top.bottom + drop / 2, "weights", "α", network.which),
      ...side(yContext + 24, "context", "c"),
      ...top.marks,
      ...written.marks,
      queryOf(frame, top.size.grid, [{ x: at.x - 4, y: at.y }], laneOf(write, at.x, lane)),
      ...cellArrows(frame, seen, top.size.grid, { x: lane, y: top.bottom + drop }),
      ...contextWay(frame, { yContext, x: lane, at }),
    ],
  };
}

/** The share of the room for the photo, beside its decoder. */
const SHARE = 0.44;

/** The photo on the left, the layers of the decoder on the right. @param {Frame} frame @param {Seen} seen @returns {Picture} */
function beside(frame, seen) {
  const { network, left, room, cell, side } = frame;
  const share = Math.round(room * SHARE);
  const count = network.target.length;
  const step = stepFor(room - share - BETWEEN - NAMES, count);
  const write = columns(count, left + share + BETWEEN, step);
  const decoder = namedAt(frame, write.right + 14);
  const top = visionAbove({ ...frame, room: share }, seen);
  const { grid } = top.size;
  const size = towerSize(decoder, write);
  const tall = 12 * (cell - 1);
  const drop = Math.min(Math.max(ABOVE + size.height - top.bottom - tall - 2, 50), 100);
  const yContext = top.bottom + drop + 2;
  const bottom = yContext + tall;
  const yTower = Math.max(ABOVE, bottom - size.height);
  const written = tower(decoder, write, yTower);
  const x = grid.x + grid.width / 2;
  const at = { x: write.x(network.step), y: written.crossed + 3 };
  const edge = left + share;
  return {
    width: Math.ceil(write.right + NAMES),
    height: Math.ceil(Math.max(bottom, yTower + size.height) + 4),
    focus: at.x,
    marks: [
      ...side(top.bottom + drop / 2, "weights", "α", network.which),
      ...side(yContext + tall / 2 + 4, "context", "c"),
      ...top.marks,
      ...written.marks,
      queryOf(frame, grid, [{ x: at.x - 4, y: at.y }], edge + 14),
      ...cellArrows(frame, seen, grid, { x, y: top.bottom + drop }),
      ...contextWay(
        frame,
        { yContext, x, at },
        around({ x: x + FULL / 2, y: yContext + tall / 2 }, edge + 30, yTower - 6, {
          x: at.x + Math.max(step / 2, 11),
          y: at.y,
        }),
      ),
    ],
  };
}

/** Between two columns, left of the position that asks. @param {Columns} place @param {number} x @param {number} lane */
const laneOf = (place, x, lane) => Math.min(x - place.step / 2, lane - FULL / 2 - 8);
