/** A small map below headings of HTML: one pixel for each cell, painted once. */

/** @import {View} from "../../core/types" */

import { mapLayout } from "../../core/map_layout.js";
import { direction } from "../../core/text.js";
import { html } from "../../draw/dom.js";
import { head, headWidth } from "../../draw/headings.js";
import { pixels } from "../../draw/pixels.js";
import { countedKeys } from "./model.js";

/** Width and height of a cell: it depends on the number of rows or columns. */
const CELL = { roomy: 28, loose: 20, tight: 14 };
const FEW = 16;
const MANY = 24;

/** The view behind each small map, for the numbers under the pointer. @type {WeakMap<HTMLElement, View>} */
export const viewOf = new WeakMap();

/** @param {View} view @param {string} name */
const labelOf = ({ rows, columns }, name) =>
  `Heatmap of ${name}: ${rows.length} rows (output) by ${columns.length} columns (input)`;

/**
 * The map in a region that scrolls if it is wider than its place.
 * @param {View} view @param {string} name @param {(row: number, column: number) => string} shade
 */
export const smallMap = (view, name, shade) =>
  html.div(
    { class: "small-box", tabindex: 0, role: "region", "aria-label": labelOf(view, name) },
    mapGrid(view, name, shade),
  );

/** The map alone. @param {View} view @param {string} name @param {(row: number, column: number) => string} shade */
export function mapGrid(view, name, shade) {
  const rtl = direction(view.columnText) === "rtl";
  const size = { rows: view.rows.length, columns: view.columns.length };
  const columns = view.columns.map((item, column) => {
    const node = head(item, "column-head");
    node.dataset.column = String(column);
    return node;
  });
  const keys = countedKeys(view.rows);
  const rows = view.rows.map((item, row) => {
    const node = head(item, "row-head");
    node.dataset.key = keys[row];
    return node;
  });
  const sizes = mapLayout(view, headWidth, { room: 0 });
  const longest = Math.max(view.rows.length, view.columns.length);
  const tight = longest > MANY;
  const cell = tight ? CELL.tight : longest > FEW ? CELL.loose : CELL.roomy;
  const map = html.div(
    {
      class: "map-grid small",
      dir: rtl ? "rtl" : "ltr",
      "data-slanted": sizes.slanted,
      "data-tight": tight,
    },
    html.div({ class: "corner", "aria-hidden": "true" }),
    html.div({ class: "column-heads", "aria-hidden": "true" }, columns),
    html.div({ class: "row-heads", "aria-hidden": "true" }, rows),
    html.div(
      { class: "plot-frame", role: "img", "aria-label": labelOf(view, name) },
      html.div({ class: "plot", dir: "ltr" }, pixels({ ...size, colourAt: shade, rtl })),
      html.div({ class: "band" }),
      html.div({ class: "lit" }),
    ),
  );
  const lengths = {
    "--cell-width": `${cell}px`,
    "--cell-height": `${cell}px`,
    "--head-width": `${Math.min(sizes.headWidth, 92)}px`,
    "--head-height": `${sizes.headHeight}px`,
    "--rows": String(view.rows.length),
    "--columns": String(view.columns.length),
  };
  for (const [property, value] of Object.entries(lengths)) map.style.setProperty(property, value);
  viewOf.set(map, view);
  return map;
}
