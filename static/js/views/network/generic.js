/** The picture of weights whose network is not known: queries, weights, keys. Pure. */

/** @import {How, Picture} from "./frame.js" */
/** @import {Network} from "./model.js" */

import { columns, headings, stepsFor } from "./columns.js";
import { fan, fanHeight } from "./fan.js";
import { frameOf } from "./frame.js";
import { rect, group } from "../../draw/marks.js";
import { label } from "../../draw/type.js";
import { FULL, arrow, straight } from "./marks.js";
import { headingHeight, keyHeadings } from "./reader.js";

const BOX = 20;

/** @param {Network} network @param {How} how @returns {Picture} */
export function generic(network, how) {
  const frame = frameOf(network, how);
  const { left, room, look, measure, part, seen, side, narrow, small } = frame;
  const rows = network.step < 0 ? network.source : network.target;
  const [readStep, writeStep] = stepsFor(room - 24, network.keyItems.length, rows.length);
  const read = columns(network.keyItems.length, left, readStep);
  const write = columns(rows.length, left, writeStep);
  const head = headingHeight(frame, network.keyItems, read);
  const scored = network.keys.some(({ score }) => score !== null);
  const drop = small ? 90 : narrow ? 120 : 160;
  const yFan = head.height + BOX;
  const ySum = yFan + fanHeight(drop) + 2;
  const yRows = ySum + BOX + 34;
  const x = write.x(network.row);
  const keys = keyHeadings(frame, network.keyItems, read, network.keys, head.height);
  const boxes = network.keyItems.map((_, j) =>
    rect(read.x(j) - read.wide / 2, head.height, read.wide, BOX, {
      rx: 3,
      fill: look.paper,
      stroke: look.edge,
    }),
  );
  const { texts, height, over } = headings(rows, write, {
    measure,
    look,
    y: yRows,
    under: true,
    strong: new Set([network.row, ...rows.keys()]),
    tone: (i) => ({
      ...(i === network.row ? { bold: true, fill: look.accent } : {}),
      opacity: i <= network.row ? 1 : (seen(i) ?? 0),
    }),
  });
  const line = { stroke: look.accent };
  return {
    width: Math.ceil(Math.max(read.right + head.over, write.right + over)),
    height: Math.ceil(yRows + height + 4),
    focus: x,
    marks: [
      ...side(head.height - 7, "keys", ""),
      ...side(yFan + 60, "weights", "α"),
      ...side(yRows + 15, "queries", ""),
      group("inputs", keys.marks),
      group("boxes", boxes),
      ...fan(frame, read, { y: yFan, from: yFan, drop, x, query: null, scored }),
      part("context", 6, [
        rect(x - FULL / 2, ySum, FULL, BOX, {
          rx: 3,
          fill: look.paper,
          stroke: look.accent,
          "stroke-width": 2,
        }),
        label("Σ", { size: 13 }, { x, y: ySum + 14.5, anchor: "middle" }, look),
      ]),
      group(
        "out",
        arrow(
          straight({ x, y: ySum + BOX + 2 }, { x, y: yRows - 3 }),
          { x, y: yRows },
          "down",
          line,
        ),
      ),
      group(
        "rows",
        texts.flatMap((text, i) =>
          text
            ? [part(network.step < 0 ? `input:${i}` : `output:${i}`, 10, [text], { "data-row": i })]
            : [],
        ),
      ),
    ],
  };
}
