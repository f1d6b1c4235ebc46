/** The layers of a Transformer: positions, threads of self-attention, what is added on the way. Pure. */

/** @import {Columns} from "./columns.js" */
/** @import {Frame} from "./frame.js" */
/** @import {Mark} from "../../draw/marks.js" */
/** @import {Layer} from "./model.js" */

import { cellsOf, frameAround, shaded } from "./cells.js";
import { rect, group, mark, round } from "../../draw/marks.js";
import { label } from "../../draw/type.js";
import { hatch, thumbnail } from "./marks.js";

const CELLS = 12;
const POSITION_CELL = 2.6;
export const POSITIONS = CELLS * POSITION_CELL;
/** Base of the wavelengths, Vaswani et al. 2017, section 3.5. */
const BASE = 10_000;

/** Heights of what a layer consists of. */
const ROWS = { threads: 26, crossed: 15, forward: 15, gap: 7 };
const COMPACT = { threads: 20, crossed: 14, forward: 0, gap: 4 };

/** @param {Frame} frame */
export const rowsOf = ({ compact }) => (compact ? COMPACT : ROWS);

/** The height of the positions under the words, and of what is between them and the first layer. @param {Frame} frame @param {number} otherwise */
export const positionsHeight = ({ compact, network: { sinusoids } }, otherwise) =>
  sinusoids && !compact ? POSITIONS + 8 : otherwise;
/** Weights that are drawn as threads, and the steps of their strength. */
const LEAST = 0.1;
const STRENGTHS = 4;

/**
 * The encoding of a position, at wavelengths spread over all of them.
 * @param {number} position @param {number} size of the vector
 */
export function encoding(position, size) {
  return Array.from({ length: CELLS }, (_, cell) => {
    const pair = Math.floor(((cell >> 1) * (size / 2)) / (CELLS / 2));
    const angle = position * BASE ** ((-2 * pair) / size);
    return cell % 2 ? Math.cos(angle) : Math.sin(angle);
  });
}

/** The encodings of the positions under their words. @param {Frame} frame @param {Columns} place @param {number} y @param {{size: number, seen?: (index: number) => number | null, kind?: string}} how @returns {Mark[]} */
export function positions(frame, place, y, { size, seen = () => 1, kind = "position" }) {
  const { look, part, keep } = frame;
  const columns = Array.from({ length: place.count }, (_, index) => ({
    index,
    opacity: seen(index),
    at: { x: place.x(index), y, width: place.wide, height: POSITIONS },
  })).filter(({ opacity }) => opacity !== null);
  const facts = columns.flatMap(({ at, opacity }) => [at.x, opacity]);
  return keep(`${kind}s`, [y, place.wide, size, ...facts], () => [
    ...byOpacity(columns).map(([opacity, group]) => {
      const cells = group.flatMap(({ index, at }) => cellsOf(encoding(index, size), at, 1 / 0.7));
      return { ...mark("g", { opacity }, shaded(cells, look)), key: `cells:${opacity}` };
    }),
    ...columns.map(({ index, opacity, at }) =>
      part(`${kind}:${index}`, 1, [frameAround(at, true, look, { "stroke-width": 0.75 })], {
        opacity,
      }),
    ),
  ]);
}

/** @template {{opacity: number | null}} T @param {T[]} all @returns {[number | null, T[]][]} */
function byOpacity(all) {
  const found = [...new Set(all.map(({ opacity }) => opacity))];
  return found.map((each) => [each, all.filter(({ opacity }) => opacity === each)]);
}

/** The frame of a layer. @param {Frame} frame @param {Columns} place @param {number} y @param {number} height @param {boolean} chosen */
export const slab = ({ look }, place, y, height, chosen) =>
  rect(place.left, y, place.right - place.left, height, {
    rx: 6,
    fill: look.grid,
    "fill-opacity": 0.55,
    stroke: chosen ? look.accent : look.line,
    "stroke-width": chosen ? 1.5 : 1,
  });

/** The lines that pass by all layers, to which these add. @param {Columns} place @param {number} from @param {number} to @param {string} stroke @param {(index: number) => number | null} [seen] */
export function streams(place, from, to, stroke, seen = () => 1) {
  const lines = Array.from({ length: place.count }, (_, index) => ({
    opacity: seen(index),
    d: `M${round(place.x(index))} ${round(from)}V${round(to)}`,
  })).filter(({ opacity }) => opacity !== null);
  return byOpacity(lines).map(([opacity, same]) => ({
    ...mark("path", {
      d: same.map(({ d }) => d).join(""),
      stroke,
      "stroke-width": 1,
      fill: "none",
      opacity,
    }),
    key: `streams:${opacity}`,
  }));
}

/**
 * The weights of a layer of self-attention as threads, from the keys above to the queries below.
 * @param {Frame} frame @param {Columns} place @param {Layer} layer
 * @param {{y: number, height: number, row: number | null, until: number}} how `row`: the one that stands out
 */
export function threads({ look }, place, { weights }, { y, height, row, until }) {
  const paths = Array.from({ length: STRENGTHS + 1 }, () => "");
  weights.forEach((values, i) => {
    if (i > until) return;
    values.forEach((weight, j) => {
      if (weight < LEAST) return;
      const level = i === row ? STRENGTHS : Math.min(STRENGTHS - 1, Math.floor(weight * STRENGTHS));
      const [from, to] = [round(place.x(j)), round(place.x(i))];
      const middle = round(y + height / 2);
      paths[level] +=
        `M${from} ${round(y)}C${from} ${middle} ${to} ${middle} ${to} ${round(y + height)}`;
    });
  });
  return group(
    "threads",
    paths.map((d, level) =>
      mark("path", {
        d,
        fill: "none",
        stroke: look.accent,
        "stroke-width": level === STRENGTHS ? 1.75 : 1,
        "stroke-opacity": level === STRENGTHS ? 0.9 : (row === null ? 0.2 : 0.1) + 0.13 * level,
      }),
    ),
  );
}

/** What is masked in a step: everything after it. @param {Frame} frame @param {Columns} place @param {number} y @param {number} height @param {number} step */
export function maskedFrom({ look }, place, y, height, step) {
  if (step < 0 || step + 1 >= place.count) return null;
  const first = place.x(step + 1) - place.step / 2;
  const area = { x: first, y, width: place.right - first, height };
  return mark("path", {
    d: hatch(area, 6),
    stroke: look.edge,
    "stroke-width": 0.6,
    "stroke-opacity": 0.55,
    fill: "none",
    "data-masked": "",
  });
}

/** The signs of an addition to the lines that pass by. @param {Frame} frame @param {Columns} place @param {number} y @param {{what: string, current: number | null, until: number}} how */
export function additions({ look }, place, y, { what, current, until }) {
  const count = Math.min(place.count, until + 1);
  const plain = Array.from({ length: count }, (_, index) =>
    index === current ? "" : circle(place.x(index), y, 2.5),
  );
  return group(what, [
    mark("path", { d: plain.join(""), fill: look.paper, stroke: look.edge }),
    current === null
      ? null
      : mark("circle", {
          cx: round(place.x(current)),
          cy: y,
          r: 4,
          fill: look.accent,
          stroke: look.accent,
        }),
  ]);
}

/** A circle as a path. @param {number} x @param {number} y @param {number} r */
const circle = (x, y, r) =>
  `M${round(x - r)} ${round(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

/** The name of a layer in the gutter, with its map as a small picture. @param {Frame} frame @param {Layer} layer @param {{y: number, id: string, band: number, masked: boolean}} how */
export function layerName(
  { look, part, narrow, names, keep, compact },
  { layer, weights },
  { y, id, band, masked },
) {
  const size = narrow || compact ? 20 : 24;
  const at = { x: narrow ? 0 : names.to - size, y: y + 1, size };
  return keep(id, [weights, y, names.to, narrow, layer], () => {
    const matrix = masked
      ? weights.map((row, i) => row.map((value, j) => (j > i ? null : value)))
      : weights;
    const name = `layer ${layer + 1}`;
    return part(id, band, [
      ...(narrow
        ? []
        : [label(name, { size: 12.5 }, { x: names.from, y: y + 16, fill: look.soft }, look)]),
      rect(at.x, at.y, size, size, { fill: look.paper }),
      ...thumbnail(matrix, at, look),
    ]);
  });
}
