/** A map as SVG: cells under headings, no wider than a page if it stays readable at that width. Pure. */

/** @import {CellNumber} from "../../core/cell_numbers.js" */
/** @import {MapSizes} from "../../core/map_layout.js" */
/** @import {Item, View} from "../../core/types" */
/** @import {Piece} from "../marks.js" */
/** @import {Measure} from "../type.js" */

import { mapLayout, rowHeight } from "../../core/map_layout.js";
import { direction } from "../../core/text.js";
import { INK } from "../ink.js";
import { at, mark, number, rect } from "../marks.js";
import { cells } from "../raster.js";
import { headed, label } from "../type.js";

const SIZE = 12;
const TURN = -52;
const SINE = Math.sin((-TURN * Math.PI) / 180);
const COSINE = Math.cos((-TURN * Math.PI) / 180);
/** Share of a slanted heading's column, or of a row, that its letters fill. */
const FILLED = { column: 0.85, row: 0.72 };
/** A number in a cell: its greatest and smallest size, and the shares of the cell that it fills. */
const NUMBER = { most: 9.5, least: 7, wide: 0.38, high: 0.62 };
/** Rows that fit on a page at their full height. */
const ROWS = 30;
const HIGHEST = 24;
const GAP = 8;
/** Longer headings are cut off. */
const LONGEST = { row: 120, column: 110 };
/** The height of the names of the axes. */
const CORNER = 30;

/** The sizes of a map on paper. @type {MapSizes} */
const SIZES = {
  whole: false,
  short: { upTo: 4, gap: 6, least: 10, most: 26 },
  level: { longest: LONGEST.column, gap: 6, spare: 14, least: 26, most: 64 },
  slanted: { least: 10, most: 26, longest: LONGEST.column, up: SINE, right: COSINE, foot: null },
  head: { level: 24, slanted: 16, most: Infinity },
  side: { gap: GAP, least: 0, narrow: Infinity, most: Infinity },
  rows: { lowest: 10, highest: HIGHEST, together: ROWS * HIGHEST },
  number: { width: NUMBER.least / NUMBER.wide, height: NUMBER.least / NUMBER.high },
};

/**
 * @typedef {object} Look
 * @property {number} room for cells and headings
 * @property {(row: number, column: number) => string} shade
 * @property {{row: string, column: string} | null} names of the axes; null leaves them out
 * @property {number} [until] the last row that is filled
 * @property {number | null} [current] the row that is framed
 * @property {CellNumber[]} [numbers] those in the cells, drawn where they fit
 * @property {number} [highest] maximum height of a cell
 * @property {{rows: number[], columns: number[]}} [selected] whose headings are set in bold
 */

/**
 * The map, and the positions of its cells, for sums and marks at its sides.
 * @param {View} view @param {Look} look @param {Measure} measure
 * @returns {Piece & {x: (column: number) => number, y: (row: number) => number, cell: import("../../core/types").CellSize, right: number, bottom: number}}
 */
export function heatmap(
  view,
  {
    room,
    shade,
    names,
    until = Infinity,
    current = null,
    numbers = [],
    highest = HIGHEST,
    selected = { rows: [], columns: [] },
  },
  measure,
) {
  const rtl = direction(view.columnText) === "rtl";
  const sizes = { ...SIZES, rows: { ...SIZES.rows, highest } };
  const rowSize = Math.min(SIZE, rowHeight(view.rows.length, sizes) * FILLED.row);
  const rows = view.rows.map((item) => headed(item, rowSize, LONGEST.row, measure));
  const corner = names && cornerOf(names, rtl, measure);
  const widthOf = (/** @type {Item} */ item, /** @type {"row" | "column"} */ axis) =>
    headed(item, axis === "row" ? rowSize : SIZE, LONGEST[axis], measure).width;
  const least = Math.ceil(corner?.width ?? 0) + GAP;
  const layout = mapLayout(view, widthOf, {
    room,
    sizes: { ...sizes, side: { ...sizes.side, least } },
  });
  const { slanted, headWidth: left } = layout;
  const { width: cell, height } = layout.cell;
  const written = Math.min(view.rows.length, until + 1);
  const labels = view.columns.map((item) => {
    const size = slanted ? Math.min(SIZE, cell * FILLED.column) : SIZE;
    return headed(item, size, LONGEST.column, measure);
  });
  const inner = cell * labels.length;
  const top = Math.max(layout.headHeight, corner ? CORNER : 0);
  const x = (/** @type {number} */ column) =>
    left + cell * (rtl ? labels.length - 1 - column : column);
  const gap = Math.min(1, cell / 12);
  const heads = labels.map(({ text, face: plain, fill }, column) => {
    const face = { ...plain, bold: selected.columns.includes(column) };
    const middle = x(column) + cell / 2;
    if (!slanted) return label(text, face, { x: middle, y: top - 7, anchor: "middle", fill });
    return label(text, face, { x: middle + face.size * 0.3, y: top - 5, fill, turn: TURN });
  });
  const words = rows.slice(0, written).map(({ text, face, fill }, row) => {
    const now = row === current;
    return label(
      text,
      { ...face, bold: now || selected.rows.includes(row) },
      {
        x: left - 8,
        y: top + (row + 0.5) * height + face.size * 0.35,
        anchor: "end",
        fill: now ? INK.accent : fill,
      },
    );
  });
  const raster = { rows: written, columns: labels.length, colourAt: shade, rtl };
  const figure = { size: Math.min(NUMBER.most, cell * NUMBER.wide, height * NUMBER.high) };
  const inCells = numbers
    .filter(({ row }) => row < written && layout.numbered)
    .map(({ row, column, text, ink }) =>
      label(text, figure, {
        x: x(column) + cell / 2,
        y: top + (row + 0.5) * height + figure.size * 0.36,
        anchor: "middle",
        fill: ink,
      }),
    );
  const framed = (/** @type {number} */ row) =>
    rect(left - 1, top + row * height - 1, inner + 2, height + 2, {
      rx: 2,
      fill: "none",
      stroke: INK.accent,
      "stroke-width": 2,
    });
  const over = slanted
    ? Math.max(...labels.map((each, column) => x(column) + cell / 2 + each.width * COSINE + 4))
    : 0;
  const level = Array.from(
    { length: written + 1 },
    (_, row) => `M${number(left)} ${number(top + row * height)}h${number(inner)}`,
  );
  const down = Array.from(
    { length: labels.length + 1 },
    (_, column) => `M${number(left + column * cell)} ${number(top)}v${number(written * height)}`,
  );
  const grid = mark("path", {
    d: [...level, ...down].join(""),
    stroke: INK.grid,
    "stroke-width": gap,
    fill: "none",
  });
  const edge = rect(left, top, inner, height * view.rows.length, {
    fill: "none",
    stroke: INK.grid,
  });
  return {
    x,
    y: (row) => top + row * height,
    cell: { width: cell, height },
    right: left + inner,
    bottom: top + height * view.rows.length,
    width: Math.max(left + inner + 1, over),
    height: top + height * view.rows.length + 1,
    marks: [
      ...(corner ? [at(left - 8, top, corner.marks)] : []),
      ...heads,
      ...words,
      grid,
      edge,
      cells(raster, { x: left, y: top, width: cell, height }, gap),
      ...inCells,
      ...(current === null ? [] : [framed(current)]),
    ],
  };
}

/** The directions of the axes. @param {{row: string, column: string}} names @param {boolean} rtl @param {Measure} measure */
function cornerOf({ row, column }, rtl, measure) {
  const face = { size: 9.5 };
  const [over, below] = [
    rtl ? `← ${column.toLowerCase()}` : `${column.toLowerCase()} →`,
    `${row.toLowerCase()} ↓`,
  ];
  const marks = [
    label(over, face, { x: 0, y: -18, anchor: "end", fill: INK.soft }),
    label(below, face, { x: 0, y: -6, anchor: "end", fill: INK.soft }),
  ];
  return { width: Math.max(measure(over, face), measure(below, face)), marks };
}
