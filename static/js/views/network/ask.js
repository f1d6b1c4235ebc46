/** The picture of a network that answers a question about a photo. Pure. */

/** @import {How, Picture, Frame} from "./frame.js" */
/** @import {KeyFact, Network, Seen} from "./model.js" */
/** @import {Mark, Point} from "../../draw/marks.js" */

import { columns, stepFor } from "./columns.js";
import { contextVector } from "./context.js";
import { arrowsOf } from "./fan.js";
import { frameOf } from "./frame.js";
import { group, mark, unless } from "../../draw/marks.js";
import { FULL, arrow, elbow, headAt, node, straight, vector } from "./marks.js";
import { NUMBERS, headingHeight, keyHeadings, reader } from "./reader.js";
import { past, writer, writerSize } from "./writer.js";
import { cellArrows, visionAbove } from "./vision.js";

/** The share of the width that the question takes, where photo and question are side by side. */
const SHARE = 0.4;
const GAP = 28;
const ASIDE = 30;
const QUESTIONED = 22;
const WIDEST = 76;

/** @param {Network} network @param {Seen} seen @param {How} how @returns {Picture} */
export function ask(network, seen, how) {
  const frame = frameOf(network, how);
  const { narrow, left, room, side, look, later, part, cell, small } = frame;
  const words = seen.asked?.words ?? [];
  const keys = (seen.asked?.weights ?? []).map((weight) => ({
    score: null,
    weight,
    masked: false,
  }));
  const step = Math.min(WIDEST, stepFor(narrow ? room : room * SHARE, words.length));
  const read = columns(words.length, left, step);
  const question = questionMarks(frame, { words, keys, read });
  const shift = narrow
    ? { x: 0, y: question.bottom + 26 }
    : { x: left + room * SHARE + GAP - 20, y: 0 };
  const looking = visionAbove(
    {
      ...frame,
      left: narrow ? left : 0,
      room: narrow ? room : room * (1 - SHARE) + 40,
      narrow: true,
      small,
    },
    seen,
  );
  const moved = movedBy(looking.size.grid, shift);
  const bottom = Math.max(question.bottom, looking.bottom + shift.y);
  const drop = small ? 44 : 64;
  const yContext = bottom + drop + 2;
  const tall = NUMBERS * (cell - 1.5);
  const product = { x: 0, y: yContext + tall + 22 };
  const yWriter = product.y + 30;
  const count = network.target.length + 1;
  const writeStep = Math.min(WIDEST, stepFor(room - ASIDE, count));
  const middle = narrow ? left + room / 2 : (question.x + moved.x + moved.width / 2) / 2;
  const write = columns(count, Math.max(left, middle - (writeStep * count) / 2), writeStep);
  const written = writer(frame, write, yWriter);
  product.x = written.state.x;
  const xCells = narrow ? product.x : Math.max(product.x + 60, moved.x + moved.width / 2);
  const line = { stroke: look.accent };
  const size = writerSize(frame, write);
  const sideOf = { x: written.readout.x + 17, y: written.readout.y + 9 };
  const answering = [
    unless(
      later("context"),
      contextVector(frame, { x: xCells, y: yContext, width: FULL, height: tall }),
    ),
    unless(
      later("context"),
      group(
        "seen-way",
        arrow(
          past({ x: xCells, y: yContext + tall }, { x: product.x + 12, y: product.y }),
          { x: product.x + 9, y: product.y },
          "left",
          line,
        ),
      ),
    ),
    unless(later("context"), group("said-way", saidWay(frame, question, product, narrow))),
    unless(
      later("context"),
      part(
        "product",
        6.5,
        node("⊙", product, 9, look, { stroke: look.accent, "stroke-width": 1.5 }),
      ),
    ),
    unless(
      later("state"),
      group(
        "to-state",
        arrow(
          straight({ x: product.x, y: product.y + 10 }, { x: product.x, y: yWriter - 3 }),
          written.state,
          "down",
          line,
        ),
      ),
    ),
    unless(
      later("word"),
      group(
        "to-readout",
        arrow(
          past({ x: product.x + 26, y: product.y + 12 }, { x: sideOf.x + 3, y: sideOf.y }),
          sideOf,
          "left",
          { ...line, opacity: 0.6 },
        ),
      ),
    ),
  ];
  return {
    width: Math.ceil(
      Math.max(how.room * 0.7, moved.x + moved.width + 8, write.right + Math.max(size.over, ASIDE)),
    ),
    height: Math.ceil(yWriter + size.height + 4),
    focus: product.x,
    marks: [
      ...question.marks,
      ...side(yContext + tall / 2 + 4, "contexts", "c"),
      group("looking", looking.marks, { transform: `translate(${shift.x} ${shift.y})` }),
      ...asking(frame, {
        read,
        question,
        grid: moved,
        state: { x: write.x(network.step), y: yWriter },
        product,
      }),
      ...cellArrows(frame, seen, moved, { x: xCells, y: bottom + drop }),
      ...answering,
      ...written.marks,
    ],
  };
}

/** @param {{x: number, y: number, width: number, height: number}} area @param {Point} by */
const movedBy = (area, by) => ({ ...area, x: area.x + by.x, y: area.y + by.y });

/**
 * The question as it is read, and its context.
 * @param {Frame} frame @param {{words: import("../../core/types").Item[], keys: KeyFact[], read: ReturnType<typeof columns>}} how
 */
function questionMarks(frame, { words, keys, read }) {
  const { look, part, later, side, small } = frame;
  const head = headingHeight(frame, words, read);
  const states = {
    ...frame,
    cell: 2.6,
  };
  const top = head.height;
  const yArrows = top + NUMBERS * 2.6 + (frame.network.both ? 6 : 0);
  const drop = small ? 40 : 58;
  const x = (read.left + read.right) / 2;
  const end = yArrows + drop;
  const { marks } = keyHeadings(frame, words, read, keys, top, "word");
  const context = unless(
    later("weights"),
    part(
      "questioned",
      5.5,
      vector(null, { x, y: end + 1, width: FULL, height: QUESTIONED }, 1, look, {
        stroke: look.accent,
        "stroke-width": 2,
      }),
    ),
  );
  return {
    x,
    arrows: yArrows,
    bottom: end + QUESTIONED,
    marks: [
      ...side(top - 7, "question", frame.narrow ? "x" : ""),
      group("question", marks),
      ...reader(states, read, top),
      ...(keys.length
        ? [
            unless(
              later("weights"),
              group(
                "word-arrows",
                arrowsOf(frame, read, { keys, kind: "word", y: yArrows, drop, x }),
              ),
            ),
            unless(
              later("weights"),
              mark("path", { d: headAt({ x, y: end }, "down", FULL / 2 - 2), fill: look.accent }),
            ),
          ]
        : []),
      context,
    ],
  };
}

/** From the context of the question to the product. @param {Frame} frame @param {{x: number, bottom: number}} question @param {Point} product @param {boolean} narrow @returns {Mark[]} */
function saidWay({ look }, { x, bottom }, product, narrow) {
  const line = { stroke: look.accent };
  const end = { x: product.x - 9, y: product.y };
  const way = narrow
    ? elbow(
        [
          { x: x - FULL / 2, y: bottom - 8 },
          { x: 8, y: bottom - 8 },
          { x: 8, y: product.y },
          { x: end.x - 3, y: product.y },
        ],
        8,
      )
    : past({ x, y: bottom }, { x: end.x - 3, y: product.y });
  return arrow(way, end, "right", line);
}

/**
 * The queries: of the state for the question, and of both for the cells.
 * @param {Frame} frame
 * @param {{read: ReturnType<typeof columns>, question: {x: number, arrows: number, bottom: number}, grid: {x: number, y: number, width: number, height: number}, state: Point, product: Point}} at
 * @returns {Mark[]}
 */
function asking({ look, part, later, narrow }, { read, question, grid, state }) {
  const dashed = { stroke: look.accent, "stroke-dasharray": "3 3" };
  const last = { x: read.x(read.count - 1), y: question.arrows + 4 };
  const lane = Math.min(state.x, question.x + FULL);
  const bend = question.bottom + 16;
  // On a narrow picture the photo is in the way.
  const up = narrow
    ? []
    : arrow(
        elbow([
          state,
          { x: state.x, y: state.y - 12 },
          { x: lane, y: state.y - 12 },
          { x: lane, y: bend },
          { x: last.x, y: bend },
          { x: last.x, y: last.y + 3 },
        ]),
        last,
        "up",
        dashed,
      );
  const from = { x: question.x + FULL / 2 + 2, y: question.bottom - QUESTIONED / 2 };
  const to = narrow
    ? { x: grid.x + grid.width * 0.5, y: grid.y - 3 }
    : { x: grid.x + 12, y: grid.y + grid.height + 3 };
  const low = to.y + 14;
  const across = narrow
    ? arrow(elbow([from, { x: to.x, y: from.y }, { x: to.x, y: to.y - 3 }]), to, "down", dashed)
    : arrow(
        elbow([
          from,
          { x: read.right + 12, y: from.y },
          { x: read.right + 12, y: low },
          { x: to.x, y: low },
          { x: to.x, y: to.y + 3 },
        ]),
        to,
        "up",
        dashed,
      );
  return [unless(later("query"), part("query", 3, [...up, ...across]))];
}
