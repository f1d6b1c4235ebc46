import assert from "node:assert/strict";
import { test } from "node:test";

import {
  beside,
  cellAt,
  cellRectangle,
  cellsBetween,
  edgeOf,
  massByPlace,
  placeOf,
  rowAndColumn,
} from "../../../static/js/core/grid.js";

/** @returns {any} */
const grid = (width, height, change = {}) => ({
  kind: "grid",
  rows: 14,
  columns: 14,
  left: 0,
  top: 0,
  width,
  height,
  ...change,
});

test("a place within a cell's rectangle is in that cell, whatever the picture's shape", () => {
  for (const [width, height] of [
    [640, 480],
    [30, 2000],
    [5000, 90],
    [1, 1],
    [7, 3],
  ]) {
    /** @type {any} */
    const axis = grid(width, height);
    for (let cell = 0; cell < 196; cell++) {
      const { left, top, width: wide, height: high } = cellRectangle(axis, cell, { width, height });
      assert.equal(cellAt(axis, left + wide / 2, top + high / 2, { width, height }), cell);
    }
  }
});

test("the cells cover the picture, side by side", () => {
  /** @type {any} */
  const axis = grid(300, 900);
  const all = Array.from({ length: 196 }, (_, cell) => cellRectangle(axis, cell, axis));
  assert.ok(Math.abs(all.reduce((sum, { width, height }) => sum + width * height, 0) - 1) < 1e-9);
  assert.deepEqual([all[0].left, all[0].top], [0, 0]);
  assert.ok(Math.abs(all[195].left + all[195].width - 1) < 1e-9);
});

test("a grid may cover a part of the picture only", () => {
  /** @type {any} */
  const axis = grid(100, 100, { left: 50, top: 100, rows: 2, columns: 2 });
  const picture = { width: 200, height: 200 };
  assert.deepEqual(cellRectangle(axis, 3, picture), {
    left: 0.5,
    top: 0.75,
    width: 0.25,
    height: 0.25,
  });
  assert.equal(cellAt(axis, 0, 0, picture), 0);
  assert.equal(cellAt(axis, 0.6, 0.8, picture), 3);
});

test("beyond the edge is the cell at the edge", () => {
  /** @type {any} */
  const axis = grid(10, 10);
  assert.equal(cellAt(axis, -1, 2, axis), 182);
  assert.equal(cellAt(axis, 1, 1, axis), 195);
});

test("two corners, in any order, span a rectangle of cells", () => {
  /** @type {any} */
  const axis = grid(10, 10);
  assert.deepEqual(cellsBetween(axis, 0, 15), [0, 1, 14, 15]);
  assert.deepEqual(cellsBetween(axis, 15, 0), [0, 1, 14, 15]);
  assert.deepEqual(cellsBetween(axis, 1, 14), [0, 1, 14, 15]);
  assert.deepEqual(cellsBetween(axis, 7, 7), [7]);
});

test("a region has one edge, however many cells it is made of", () => {
  /** @type {any} */
  const axis = { kind: "grid", rows: 2, columns: 2, left: 0, top: 0, width: 10, height: 30 };
  assert.equal(edgeOf(axis, [3], axis), "M500 500H1000M1000 500V1000M500 1000H1000M500 500V1000");
  const sides = (cells) => edgeOf(axis, cells, axis).match(/M/g)?.length ?? 0;
  assert.equal(sides([0, 1]), 6);
  assert.equal(sides([0, 1, 2, 3]), 8);
  assert.equal(sides([0, 3]), 8);
  assert.equal(sides([]), 0);
});

test("steps from cell to cell stop at the edge", () => {
  /** @type {any} */
  const axis = grid(10, 10);
  assert.equal(beside(axis, 0, 1, 1), 15);
  assert.equal(beside(axis, 0, -1, -1), 0);
  assert.equal(beside(axis, 13, 0, 1), 13);
});

test("nine parts have names", () => {
  /** @type {any} */
  const axis = grid(10, 10);
  assert.equal(placeOf(axis, 0), "upper left");
  assert.equal(placeOf(axis, 13), "upper right");
  assert.equal(placeOf(axis, 7 * 14 + 7), "middle");
  assert.equal(placeOf(axis, 7), "top");
  assert.equal(placeOf(axis, 7 * 14), "left");
  assert.equal(placeOf(axis, 195), "lower right");
  assert.equal(rowAndColumn(axis, 15), "row 2, column 2");
});

test("the weights of a row are summed by parts, the largest first, and none is lost", () => {
  const weights = Array.from({ length: 196 }, (_, cell) => (cell === 0 ? 0.7 : 0.3 / 195));
  const mass = massByPlace(grid(10, 10), weights);
  assert.equal(mass[0].place, "upper left");
  assert.equal(mass.length, 9);
  assert.ok(Math.abs(mass.reduce((sum, { weight }) => sum + weight, 0) - 1) < 1e-9);
});
