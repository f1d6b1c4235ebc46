/** The parts that every picture of a network is made of: arrows, vectors, signs, matrices. Pure. */

/** @import {Attributes, Look, Mark, Point} from "../../draw/marks.js" */

import { colour, divergent } from "../../core/colours.js";
import { mark, onPage, rect, round } from "../../draw/marks.js";
import { label } from "../../draw/type.js";

/** Width of an arrow of weight 1, and of the box into which all arrows of a query lead. */
export const FULL = 26;
/** Attributes of a shape, or of a group of shapes, that glides to its place in another step. @type {Attributes} */
export const MOVES = { "data-moves": "" };
/** The least weight whose arrow glides: a long text has many that are hardly seen. */
const GLIDING = 0.02;
/** The least width of an arrow that is drawn at all. */
const THINNEST = 0.5;
const HEAD = 3.5;
/** Shades of a matrix that is drawn small. */
const SHADES = 6;

/** @param {Point} from @param {Point} to a path that leaves and arrives upright */
export const falling = (from, to) => {
  const middle = round((from.y + to.y) / 2);
  return `M${at(from)}C${round(from.x)} ${middle} ${round(to.x)} ${middle} ${at(to)}`;
};

/** @param {Point} from @param {Point} to */
export const straight = (from, to) => `M${at(from)}L${at(to)}`;

/** @param {Point[]} points corners, which are rounded @param {number} [radius] */
export function elbow(points, radius = 6) {
  const [first, ...rest] = points;
  return rest.reduce(
    (path, point, index) => {
      const next = rest[index + 1];
      if (!next) return `${path}L${at(point)}`;
      const before = toward(point, index ? rest[index - 1] : first, radius);
      const after = toward(point, next, radius);
      return `${path}L${at(before)}Q${at(point)} ${at(after)}`;
    },
    `M${at(first)}`,
  );
}

/** @param {Point} from @param {Point} to @param {number} distance at most half of the way */
function toward(from, to, distance) {
  const [x, y] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(x, y) || 1;
  const share = Math.min(distance, length / 2) / length;
  return { x: from.x + x * share, y: from.y + y * share };
}

/** A thin line with a head at its end. @param {string} d @param {Point} end @param {"up" | "down" | "left" | "right"} way @param {Attributes} attributes @returns {Mark[]} */
export const arrow = (d, end, way, attributes) => [
  mark("path", { d, fill: "none", "stroke-width": 1.25, ...attributes }),
  mark("path", { d: headAt(end, way), fill: attributes.stroke, opacity: attributes.opacity }),
];

/** @param {Point} end @param {"up" | "down" | "left" | "right"} way @param {number} [size] */
export function headAt({ x, y }, way, size = HEAD) {
  const [dx, dy] = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] }[way];
  const back = { x: x - dx * size * 1.5, y: y - dy * size * 1.5 };
  const one = { x: back.x + dy * size, y: back.y + dx * size };
  const other = { x: back.x - dy * size, y: back.y - dx * size };
  return `M${at({ x, y })}L${at(one)}L${at(other)}Z`;
}

/** An arrow as wide as its weight. @param {string} d @param {number} weight @param {number} top the largest weight @param {Look} look @returns {Mark} */
export const weighted = (d, weight, top, look) =>
  mark("path", {
    d,
    fill: "none",
    stroke: look.accent,
    "stroke-width": round(Math.max(weight * FULL, THINNEST)),
    "stroke-opacity": round(weight < 0.002 ? 0.12 : 0.3 + 0.6 * (weight / (top || 1))),
    "data-weight": weight.toFixed(4),
    ...(weight < GLIDING ? {} : MOVES),
  });

/** The means of neighbouring numbers, so that as many are left as are drawn. @param {number[]} numbers @param {number} count */
export function means(numbers, count) {
  if (numbers.length <= count || numbers.length % count) return numbers;
  const size = numbers.length / count;
  return Array.from({ length: count }, (_, index) => {
    const block = numbers.slice(index * size, (index + 1) * size);
    return block.reduce((sum, value) => sum + value, 0) / size;
  });
}

/** The largest of all numbers, by which a colour scale ends. @param {(number[] | null | undefined)[]} vectors */
export const largest = (vectors) =>
  Math.max(1e-9, ...vectors.flatMap((values) => values?.map(Math.abs) ?? []));

/**
 * A vector as a column of coloured cells in a frame; only the frame if its numbers are unknown.
 * @param {number[] | null} values @param {{x: number, y: number, width: number, height: number}} place `x`: its centre
 * @param {number} most value of the strongest colour @param {Look} look @param {Attributes} [frame]
 * @returns {Mark[]}
 */
export function vector(values, { x, y, width, height }, most, look, frame = {}) {
  const left = x - width / 2;
  const tall = height / (values?.length || 1);
  const cells = (values ?? []).map((value, index) =>
    rect(left, y + index * tall, width, tall + 0.3, {
      fill: divergent(look.palette, value / most),
    }),
  );
  return [
    ...cells,
    rect(left, y, width, height, {
      rx: 2,
      fill: values ? "none" : look.paper,
      stroke: look.edge,
      "stroke-width": 1,
      ...frame,
    }),
  ];
}

/** Attributes of a text that stands over lines. @param {Look} look */
export const haloed = (look) => ({
  stroke: look.paper,
  "stroke-width": 3,
  "stroke-linejoin": "round",
  "paint-order": "stroke",
});

/** A sign in a circle, such as a sum. @param {string} sign @param {Point} centre @param {number} radius @param {Look} look @param {Attributes} [more] @returns {Mark[]} */
export const node = (sign, { x, y }, radius, look, more = {}) => [
  mark("circle", {
    cx: round(x),
    cy: round(y),
    r: radius,
    fill: look.paper,
    stroke: look.edge,
    ...more,
  }),
  label(sign, { size: radius * 1.4 }, { x, y: y + radius * 0.48, anchor: "middle" }, look),
];

/** A matrix as a small picture; what is masked is hatched. @param {(number | null)[][]} matrix @param {{x: number, y: number, size: number}} place @param {Look} look @returns {Mark[]} */
export function thumbnail(matrix, { x, y, size }, look) {
  const cell = size / Math.max(matrix.length, matrix[0]?.length ?? 1);
  const top = Math.max(1e-9, ...matrix.flatMap((row) => row.map((value) => value ?? 0)));
  // One path for each of a few shades: a matrix of a long text has thousands of cells.
  const shades = Array.from({ length: SHADES }, () => "");
  const side = round(cell);
  matrix.forEach((row, i) =>
    row.forEach((value, j) => {
      const shade = Math.min(SHADES - 1, Math.floor(((value ?? 0) / top) * SHADES));
      if (shade > 0 || (value ?? 0) > top / (2 * SHADES))
        shades[shade] += `M${round(x + j * cell)} ${round(y + i * cell)}h${side}v${side}h-${side}z`;
    }),
  );
  const cells = shades.flatMap((d, shade) =>
    d ? [mark("path", { d, fill: colour(look.palette, (shade + 0.7) / SHADES) })] : [],
  );
  const hatched = matrix.flatMap((row, i) => {
    const from = row.indexOf(null);
    return from === -1
      ? []
      : [
          hatch({
            x: x + from * cell,
            y: y + i * cell,
            width: (row.length - from) * cell,
            height: cell,
          }),
        ];
  });
  return [
    ...cells,
    mark("path", { d: hatched.join(""), stroke: look.edge, "stroke-width": 0.5, fill: "none" }),
    rect(x, y, cell * (matrix[0]?.length ?? 1), cell * matrix.length, {
      fill: "none",
      stroke: look.edge,
      "stroke-width": 0.75,
    }),
  ];
}

/** The lines of a hatching at 45 degrees, cut at the edges of a rectangle. @param {{x: number, y: number, width: number, height: number}} place @param {number} [gap] */
export function hatch({ x, y, width, height }, gap = 4) {
  const lines = [];
  // Lines of one grid for the whole drawing, so that those of neighbours meet.
  for (let c = Math.ceil((x + y) / gap) * gap; c < x + width + y + height; c += gap) {
    const from = Math.max(x, c - (y + height));
    const to = Math.min(x + width, c - y);
    if (to > from) lines.push(`M${round(from)} ${round(c - from)}L${round(to)} ${round(c - to)}`);
  }
  return lines.join("");
}

/** @param {Point} point */
const at = ({ x, y }) => `${round(x)} ${round(y)}`;

/** The room around a line that takes the pointer. @param {string} d @param {number} [width] */
export const pressed = (d, width = 14) =>
  onPage(
    mark("path", {
      d,
      fill: "none",
      stroke: "transparent",
      "stroke-width": width,
      "data-target": "",
    }),
  );
