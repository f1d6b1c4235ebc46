/** The decoder of a Transformer: the words so far, its layers, the state, the next word. Pure. */

/** @import {Columns} from "./columns.js" */
/** @import {Frame} from "./frame.js" */
/** @import {Mark} from "../../draw/marks.js" */

import { cellsOf, frameAround, shaded } from "./cells.js";
import { headings } from "./columns.js";
import { contextVector } from "./context.js";
import { fan, fanHeight } from "./fan.js";
import {
  POSITIONS,
  additions,
  layerName,
  maskedFrom,
  positions,
  positionsHeight,
  rowsOf,
  slab,
  streams,
  threads,
} from "./layers.js";
import { group, unless } from "../../draw/marks.js";
import { label } from "../../draw/type.js";
import { FULL, arrow, elbow, largest, means, straight } from "./marks.js";

const STATE = 14;
/** Heights of an open layer: of its arrows, and of their sum. */
const EXPANDED = { arrows: 62, sum: 36 };
const COMPACT = { arrows: 24, sum: 26 };

/** @param {Frame} frame */
const openOf = ({ compact }) => (compact ? COMPACT : EXPANDED);

/** The height of an open layer, without what follows its self-attention. @param {Frame} frame */
export function openHeight(frame) {
  const { arrows, sum } = openOf(frame);
  return fanHeight(arrows) + sum;
}

/**
 * The heights in a tower, from its top.
 * @param {Frame} frame @param {Columns} place
 */
export function towerSize(frame, place) {
  const { network, look, measure, cell } = frame;
  const plain = { measure, look, y: 0, strong: new Set([0]), tone: () => ({}) };
  const above = headings(network.inputs, place, plain);
  const under = headings(network.target, place, { ...plain, under: true });
  const inputs = above.height;
  const rows = rowsOf(frame);
  const first = inputs + positionsHeight(frame, 10);
  let y = first;
  const layers = network.decoder.map(({ layer }) => {
    const open = network.attended === "decoder-self" && layer === network.layer;
    const own = open ? openHeight(frame) : rows.threads;
    const top = y;
    const crossed = top + own + rows.crossed / 2;
    const height = own + rows.crossed + rows.forward;
    y += height + rows.gap;
    return { layer, open, top, own, crossed, forward: crossed + rows.crossed, height };
  });
  const state = y + 6;
  const words = state + STATE * (cell - 1) + 16;
  return {
    inputs,
    first,
    layers,
    state,
    words,
    height: words + under.height,
    over: Math.max(above.over, under.over),
  };
}

/**
 * @param {Frame} frame @param {Columns} place @param {number} y
 * @returns {{marks: Mark[], crossed: number}} `crossed`: where the context of the map's layer is added
 */
export function tower(frame, place, y) {
  const { network, look, measure, part, side, seen, narrow, compact } = frame;
  const { step, inputs, states } = network;
  const size = towerSize(frame, place);
  const width = network.memory.find(Boolean)?.size ?? states.find(Boolean)?.size ?? 256;
  const yState = y + size.state;
  const chosen =
    size.layers.find(({ layer }) => layer === network.layer) ?? size.layers[size.layers.length - 1];
  const read = headings(inputs, place, {
    measure,
    look,
    y: y + size.inputs,
    strong: new Set([step, step - 1, ...inputs.keys()]),
    tone: (t) => ({ ...(t === step ? { bold: true } : {}), opacity: seen(t) ?? 0 }),
  });
  const inputMarks = read.texts.flatMap((text, t) =>
    text && seen(t) !== null ? [part(t ? `feedback:${t - 1}` : "start", 7, [text])] : [],
  );
  const layers = size.layers.flatMap((rows, index) => layerMarks(frame, place, y, rows, index));
  return {
    crossed: y + (chosen?.crossed ?? size.first),
    marks: [
      ...side(y + size.inputs - 7, "output so far", narrow ? "y" : ""),
      ...(network.sinusoids && !compact
        ? [
            ...side(y + size.inputs + POSITIONS / 2 + 4, "+ position", ""),
            group(
              "target-positions",
              positions(frame, place, y + size.inputs, { size: width, seen, kind: "place" }),
            ),
          ]
        : []),
      group("target-streams", streams(place, y + size.first - 8, yState, look.edge, seen)),
      group("written-inputs", inputMarks),
      ...layers,
      group("fed-back", fedBack(frame, place, y, size)),
      ...outcome(frame, place, { yState, yWords: y + size.words }),
    ],
  };
}

/** @param {Frame} frame @param {Columns} place @param {number} y @param {ReturnType<typeof towerSize>["layers"][number]} rows @param {number} index @returns {Mark[]} */
function layerMarks(frame, place, y, { layer, open, top, own, crossed, forward, height }, index) {
  const { network, look, side, later, narrow, compact, names } = frame;
  const { step, decoder, attended } = network;
  const until = step < 0 ? Infinity : step;
  const chosen = attended !== "encoder-self" && layer === network.layer;
  const current = step < 0 ? null : step;
  const first = y + top;
  const inner = open
    ? selfFan(frame, place, first)
    : [
        threads(frame, place, decoder[index], {
          y: first + 2,
          height: own - 4,
          row: current,
          until,
        }),
      ];
  return [
    group(`decoder-layer:${layer}`, [
      slab(frame, place, first, height, chosen),
      maskedFrom(frame, place, first + 1, open ? 20 : own, step),
      ...inner,
      additions(frame, place, first + own, { what: "attended", current, until }),
      compact
        ? null
        : additions(frame, place, y + forward + 4, { what: "forwarded", current, until }),
      unless(
        attended === "cross" && chosen && later("context"),
        additions(frame, place, y + crossed + 3, { what: "crossed", current, until }),
      ),
      layerName(frame, decoder[index], {
        y: first,
        id: `decoder:${index}`,
        band: 7.5 + index / 100,
        masked: true,
      }),
      ...(narrow || open || compact
        ? []
        : [
            ...side(y + crossed + 4, "", ""),
            label(
              "+ cross-attention",
              { size: 12 },
              { x: names.from, y: y + crossed + 6, fill: look.soft },
              look,
            ),
            label(
              "+ feed-forward",
              { size: 12 },
              { x: names.from, y: y + forward + 7, fill: look.soft },
              look,
            ),
          ]),
    ]),
  ];
}

/** Masked self-attention, with its scores and weights. @param {Frame} frame @param {Columns} place @param {number} y */
export function selfFan(frame, place, y) {
  const { network, later } = frame;
  const x = place.x(network.row);
  const { arrows, sum } = openOf(frame);
  const end = y + fanHeight(arrows) + 2;
  const area = { x, y: end, width: FULL, height: sum - 8 };
  return [
    ...fan(frame, place, { y, from: y, drop: arrows, x, query: [{ x, y }] }),
    unless(later("context"), contextVector(frame, area, network.sum, 8)),
  ];
}

/** The way of the last word from the end of the tower to its top. @param {Frame} frame @param {Columns} place @param {number} y @param {ReturnType<typeof towerSize>} size @returns {Mark[]} */
function fedBack({ network: { step }, look }, place, y, { inputs, words }) {
  if (step < 1) return [];
  const lane = place.x(step) - place.step / 2;
  const from = { x: place.x(step - 1) + Math.min(place.step * 0.3, 16), y: y + words + 10 };
  const up = { x: lane, y: from.y };
  const top = { x: lane, y: y + inputs - 10 };
  const end = { x: lane + Math.min(8, place.step * 0.2), y: top.y };
  return arrow(elbow([from, up, top, end], 6), { x: end.x + 3, y: end.y }, "right", {
    stroke: look.accent,
    "stroke-opacity": 0.55,
    opacity: 0.75,
  });
}

/** States and words. @param {Frame} frame @param {Columns} place @param {{yState: number, yWords: number}} at @returns {Mark[]} */
function outcome(frame, place, { yState, yWords }) {
  const { network, look, measure, part, later, seen, side, cell } = frame;
  const { target, states, step } = network;
  const height = STATE * (cell - 1);
  const vectors = states.map((each) => each && means(each.summary, 16));
  const most = largest(vectors);
  const placeOf = (/** @type {number} */ t) => ({
    x: place.x(t),
    y: yState,
    width: place.wide,
    height,
  });
  const known = later("state") ? step - 1 : step;
  const cells = vectors
    .slice(0, known + 1)
    .flatMap((values, t) => cellsOf(values, placeOf(t), most));
  const drawn = target.flatMap((_, t) => {
    const opacity = seen(t);
    if (opacity === null) return [];
    const now = t === step;
    const values = t <= step ? vectors[t] : null;
    const at = placeOf(t);
    const line = {
      stroke: now ? look.accent : look.edge,
      opacity: now ? 1 : Math.min(opacity, 0.55),
    };
    const bold = now ? { stroke: look.accent, "stroke-width": 2 } : {};
    const marks = group(`state-of:${t}`, [
      part(`state:${t + 1}`, 8, [frameAround(at, Boolean(values), look, bold)], { opacity }),
    ]);
    const out = group(
      `out:${t}`,
      arrow(
        straight({ x: place.x(t), y: yState + height + 2 }, { x: place.x(t), y: yWords - 3 }),
        { x: place.x(t), y: yWords },
        "down",
        line,
      ),
    );
    return now ? [unless(later("state"), marks), unless(later("word"), out)] : [marks, out];
  });
  const { texts } = headings(target, place, {
    measure,
    look,
    y: yWords,
    under: true,
    strong: new Set([step, step - 1, step + 1, ...target.keys()]),
    tone: (t) => ({
      ...(t === step ? { bold: true, fill: look.accent } : {}),
      opacity: seen(t) ?? 0,
    }),
  });
  const words = texts.flatMap((text, t) => {
    if (!text || seen(t) === null) return [];
    const made = part(`output:${t}`, 10, [text], {
      "data-row": step < 0 ? null : t,
      "data-now": t === step ? "" : null,
    });
    return [t === step ? unless(later("word"), made) : made];
  });
  return [
    ...side(yState + height / 2 + 4, "decoder", "s"),
    ...side(yWords + 15, "output", "y"),
    group("state-cells", shaded(cells, look)),
    group("outcome", drawn),
    group("words", words),
  ];
}
