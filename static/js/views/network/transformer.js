/** The picture of a Transformer that reads a text. Pure. */

/** @import {How, Picture} from "./frame.js" */
/** @import {Network} from "./model.js" */
/** @import {Mark} from "../../draw/marks.js" */
/** @import {Columns} from "./columns.js" */
/** @import {Frame} from "./frame.js" */

import { columns, stepFor, stepsFor } from "./columns.js";
import { contextVector } from "./context.js";
import { between, fan, fanHeight } from "./fan.js";
import { NAMES, frameOf, namedAt } from "./frame.js";
import {
  POSITIONS,
  additions,
  layerName,
  positions,
  positionsHeight,
  rowsOf,
  slab,
  streams,
  threads,
} from "./layers.js";
import { group, unless } from "../../draw/marks.js";
import { label } from "../../draw/type.js";
import { FULL, MOVES, arrow, elbow } from "./marks.js";
import { headingHeight, keyHeadings, reader, readerHeight } from "./reader.js";
import { openHeight, selfFan, tower, towerSize } from "./tower.js";

/** Room at the right of the last column, for the way of the context. */
const ASIDE = 26;
const CONTEXT = 12;

/** @param {Network} network @param {How} how @returns {Picture} */
export function transformer(network, how) {
  if (how.aside) return sideBySide(network, how);
  const frame = frameOf(network, how);
  const { left, room, side, small, narrow } = frame;
  const reads = network.source.length > 0;
  const [readStep, writeStep] = stepsFor(
    room - ASIDE,
    network.source.length,
    network.target.length,
  );
  const read = columns(network.source.length, left, readStep);
  const write = columns(network.target.length, left, writeStep);
  const head = headingHeight(frame, network.source, read);
  const crossing = network.attended === "cross";
  const encoder = encoderOf(frame, read, head.height);
  const yFan = encoder.bottom + readerHeight({ ...frame, cell: memoryCell(frame) });
  const drop = crossing ? (small ? 50 : narrow ? 60 : 66) : 0;
  const yContext = yFan + (crossing ? fanHeight(drop) + 2 : 18);
  const yTower = yContext + (crossing ? contextHeight(frame) + 10 : 0);
  const size = towerSize(frame, write);
  const written = tower(frame, write, yTower);
  const lane = write.x(Math.max(network.step, 0)) + Math.max(writeStep / 2, FULL / 2 + 2);
  const keys = keyHeadings(
    frame,
    network.source,
    read,
    network.attended === "decoder-self" ? [] : network.keys,
    head.height,
  );
  const cross = crossing
    ? crossFan(frame, read, {
        y: yFan,
        drop,
        yContext,
        x: lane,
        at: { x: write.x(network.step), y: written.crossed + 3 },
      })
    : [];
  const width = Math.max(read.right + head.over, write.right + Math.max(size.over, ASIDE));
  return {
    width: Math.ceil(width),
    height: Math.ceil(yTower + size.height + 4),
    focus: network.step < 0 ? read.x(network.row) : lane,
    marks: [
      ...(reads
        ? [...side(head.height - 7, "input", narrow ? "x" : ""), group("inputs", keys.marks)]
        : []),
      ...encoder.marks,
      ...reader({ ...frame, cell: memoryCell(frame) }, read, encoder.bottom),
      ...(crossing ? crossNames(frame, yFan, yContext) : []),
      group("tower", written.marks, { opacity: network.step < 0 ? 0.35 : 1 }),
      ...cross,
    ],
  };
}

/** Between the encoder and the decoder beside it: the ways of the query and of the context. */
export const BETWEEN = 48;
/** Above the words of the decoder: the way of the context. */
export const ABOVE = 14;

/**
 * Encoder and cross-attention on the left, the decoder on the right, with its names beyond it.
 * @param {Network} network @param {How} how @returns {Picture}
 */
function sideBySide(network, how) {
  const frame = frameOf(network, how);
  const { left, room, side, small } = frame;
  const crossing = network.attended === "cross";
  const [reading, writing] = [network.source.length, network.target.length];
  const step = stepFor(room - BETWEEN - NAMES, reading + writing);
  const read = columns(reading, left, step);
  const write = columns(writing, read.right + BETWEEN, step);
  const decoder = namedAt(frame, write.right + 14);
  const head = headingHeight(frame, network.source, read);
  const encoder = encoderOf(frame, read, head.height);
  const states = { ...frame, cell: memoryCell(frame) };
  const yFan = encoder.bottom + readerHeight(states);
  const size = towerSize(decoder, write);
  const least = yFan + fanHeight(0) + 2 + contextHeight(frame);
  const drop = Math.min(Math.max(ABOVE + size.height - least, small ? 40 : 60), 100);
  const yContext = yFan + fanHeight(drop) + 2;
  const bottom = crossing ? yContext + contextHeight(frame) : yFan;
  const yTower = Math.max(crossing ? ABOVE : 0, bottom - size.height);
  const written = tower(decoder, write, yTower);
  const keys = network.attended === "decoder-self" ? [] : network.keys;
  const words = keyHeadings(frame, network.source, read, keys, head.height);
  const lane = write.x(Math.max(network.step, 0)) + Math.max(step / 2, 11);
  const at = { x: write.x(network.step), y: written.crossed + 3 };
  const x = read.right - Math.max(step / 2, FULL);
  const middle = yContext + contextHeight(frame) / 2;
  return {
    width: Math.ceil(write.right + NAMES),
    height: Math.ceil(Math.max(bottom, yTower + size.height) + 4),
    focus: network.step < 0 ? read.x(network.row) : lane,
    marks: [
      ...side(head.height - 7, "input", ""),
      group("inputs", words.marks),
      ...encoder.marks,
      ...reader(states, read, encoder.bottom),
      ...(crossing ? crossNames(frame, yFan, yContext) : []),
      group("tower", written.marks, { opacity: network.step < 0 ? 0.35 : 1 }),
      ...(crossing
        ? [
            ...fan(frame, read, {
              y: yFan,
              from: yFan,
              drop,
              x,
              query: [
                { x: at.x - 4, y: at.y },
                { x: read.right + 14, y: at.y },
                { x: read.right + 14, y: yFan },
              ],
            }),
            ...contextWay(
              frame,
              { yContext, x, at },
              around({ x: x + FULL / 2, y: middle }, read.right + 30, yTower - 6, {
                x: lane,
                y: at.y,
              }),
            ),
          ]
        : []),
    ],
  };
}

/** The corners of the way of a context that goes up beside the decoder, and down to where it is added. @param {{x: number, y: number}} from @param {number} x @param {number} top @param {{x: number, y: number}} to */
export const around = (from, x, top, to) => [
  from,
  { x, y: from.y },
  { x, y: top },
  { x: to.x, y: top },
  to,
];

/** The names beside cross-attention. @param {Frame} frame @param {number} y @param {number} yContext */
function crossNames(frame, y, yContext) {
  const { network, side } = frame;
  return [
    ...side(y + 16, "scores", "e"),
    ...side(y + 48, "weights", "α", network.which),
    ...side(
      yContext + contextHeight(frame) / 2 + 4,
      network.sum ? "head" : "context",
      network.sum ? "" : "c",
    ),
  ];
}

/** @param {Frame} frame */
const memoryCell = ({ cell }) => cell - 1.25;
/** @param {Frame} frame */
const contextHeight = ({ cell }) => CONTEXT * (cell - 1);

/**
 * Words, positions and layers.
 * @param {Frame} frame @param {Columns} place @param {number} y
 */
function encoderOf(frame, place, y) {
  const { network, look, side, narrow, keep, compact, names } = frame;
  const { encoder, attended, row } = network;
  const size = network.memory.find(Boolean)?.size ?? 256;
  const reading = network.step < 0;
  const rows = rowsOf(frame);
  let at = y + positionsHeight(frame, 8);
  const top = at;
  /** @type {Mark[]} */
  const layers = encoder.map((layer, index) => {
    const open = attended === "encoder-self" && layer.layer === network.layer;
    const own = open ? openHeight(frame) : rows.threads;
    const height = own + rows.forward;
    const first = at;
    at += height + rows.gap;
    const current = reading ? row : null;
    return group(`encoder-layer:${layer.layer}`, [
      slab(frame, place, first, height, open),
      ...(open
        ? selfFan(frame, place, first)
        : [
            keep(
              `threads:${index}`,
              [layer.weights, first, own, place.left, place.step, current],
              () =>
                threads(frame, place, layer, {
                  y: first + 2,
                  height: own - 4,
                  row: current,
                  until: Infinity,
                }),
            ),
          ]),
      additions(frame, place, first + own, { what: "attended", current, until: Infinity }),
      compact
        ? null
        : additions(frame, place, first + own + 11, {
            what: "forwarded",
            current,
            until: Infinity,
          }),
      layerName(frame, layer, {
        y: first,
        id: `layer:${index}`,
        band: 1.5 + index / 100,
        masked: false,
      }),
      ...(narrow || open || compact
        ? []
        : [
            label(
              "+ feed-forward",
              { size: 12 },
              { x: names.from, y: first + own + 13, fill: look.soft },
              look,
            ),
          ]),
    ]);
  });
  return {
    bottom: at + 6,
    marks: [
      ...(network.sinusoids && !compact
        ? [
            ...side(y + POSITIONS / 2 + 4, "+ position", ""),
            group("positions", positions(frame, place, y, { size })),
          ]
        : []),
      group("streams", streams(place, top - 8, at + 6, look.edge)),
      ...layers,
    ],
  };
}

/**
 * Cross-attention: from the encoder's states to the layer that asks.
 * @param {Frame} frame @param {Columns} place
 * @param {{y: number, drop: number, yContext: number, x: number, at: {x: number, y: number}}} how `at`: where the context is added
 */
function crossFan(frame, place, { y, drop, yContext, x, at }) {
  return [
    ...fan(frame, place, { y, from: y, drop, x, query: queryWay(place, at, x, y) }),
    ...contextWay(frame, { yContext, x, at }),
  ];
}

/** From the position that asks to between two of the keys. @param {Columns} place @param {{x: number, y: number}} at @param {number} x @param {number} y */
function queryWay(place, at, x, y) {
  const lane = between(place, Math.min(at.x - 6, x - FULL / 2 - 8));
  const start = { x: at.x - 4, y: at.y };
  return [start, { x: lane, y: at.y }, { x: lane, y }];
}

/**
 * The vector that comes out, and its way into the layer.
 * @param {Frame} frame @param {{yContext: number, x: number, at: {x: number, y: number}}} how
 * @param {{x: number, y: number}[]} [way] its corners, where it does not fall straight
 */
export function contextWay(frame, { yContext, x, at }, way) {
  const { network, look, later } = frame;
  const height = contextHeight(frame);
  const area = { x, y: yContext, width: FULL, height };
  const end = { x: at.x + 5, y: at.y };
  return [
    unless(later("context"), contextVector(frame, area, network.sum ?? network.context)),
    unless(
      later("context"),
      group(
        "into-layer",
        arrow(
          elbow(
            [
              ...(way ?? [
                { x, y: yContext + height },
                { x, y: end.y },
              ]),
              { x: end.x + 3, y: end.y },
            ],
            8,
          ),
          end,
          "left",
          { stroke: look.accent, "stroke-width": 2 },
        ),
        MOVES,
      ),
    ),
  ];
}
