/** The cards of the compared models, with small maps. */

/** @import {Model, Palette, Scene, View} from "../../core/types" */

import { heatmapOf, differenceOf } from "../../core/heatmap.js";
import { mapLayout } from "../../core/map_layout.js";
import { noAttention } from "../../core/sentences.js";
import { direction, visible } from "../../core/text.js";
import { element } from "../../shell/dom.js";
import { head, measure } from "../../shell/headings.js";
import { pixels } from "../../shell/pixels.js";
import { countedKeys, differing, measured, shortName, spaced, wordKey } from "./model.js";

const CELL = { width: 20, height: 20 };

/** The view behind each small map, for the numbers under the pointer. @type {WeakMap<HTMLElement, View>} */
export const viewOf = new WeakMap();

/** The card of a model: its output, its map and its measures. @param {{model: Model, failure: string | null}} entry @param {Scene | null} scene @param {string[]} base @param {Palette} palette */
export function card({ model, failure }, scene, base, palette) {
  const name = element("h3", {}, shortName(model));
  if (!scene) {
    const said = failure ?? "…";
    return element(
      "article",
      { class: "card", "data-model": model.id, "aria-busy": !failure && "true" },
      name,
      element("p", { class: failure ? "error" : "note" }, said),
    );
  }
  const { view } = scene;
  const differs = differing(view.rows.map(wordKey), base);
  const keys = countedKeys(view.rows);
  const words = spaced(view.rows).flatMap(({ row, index, space }) => [
    space ? " " : "",
    element(
      "span",
      { "data-key": keys[index], "data-differs": differs[index] },
      visible(row.text.trim()),
    ),
  ]);
  const map = view.weights
    ? smallMap(view, shortName(model), heatmapOf(view.weights, { ...scene, palette }).colourAt)
    : element(
        "p",
        { class: "note blind-note" },
        noAttention(scene.output.steps[0]?.context?.size ?? 0),
      );
  const terms = measured(scene).map(({ term, value, means }) =>
    element(
      "div",
      { title: means },
      element("dt", {}, term),
      element("dd", { class: "number" }, value),
    ),
  );
  return element(
    "article",
    { class: "card", "data-model": model.id },
    name,
    element("p", { class: "card-text", dir: direction(view.rowText) }, ...words),
    map,
    element("dl", { class: "measures" }, ...terms),
  );
}

/**
 * A small map: one pixel per cell, painted once, below headings of HTML.
 * @param {View} view @param {string} name @param {(row: number, column: number) => string} shade
 */
export function smallMap(view, name, shade) {
  const rtl = direction(view.columnText) === "rtl";
  const canvas = pixels({ rows: view.rows.length, columns: view.columns.length }, shade, rtl);
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
  const sizes = mapLayout(view, 0, measure);
  const label = `Heatmap of ${name}: ${view.rows.length} rows (output) by ${view.columns.length} columns (input)`;
  const map = element(
    "div",
    { class: "map-grid small", dir: rtl ? "rtl" : "ltr", "data-slanted": sizes.slanted },
    element("div", { class: "corner", "aria-hidden": "true" }),
    element("div", { class: "column-heads", "aria-hidden": "true" }, ...columns),
    element("div", { class: "row-heads", "aria-hidden": "true" }, ...rows),
    element(
      "div",
      { class: "plot-frame", role: "img", "aria-label": label },
      element("div", { class: "plot", dir: "ltr" }, canvas),
      element("div", { class: "band" }),
      element("div", { class: "lit" }),
    ),
  );
  const lengths = {
    "--cell-width": `${CELL.width}px`,
    "--cell-height": `${CELL.height}px`,
    "--head-width": `${Math.min(sizes.headWidth, 92)}px`,
    "--head-height": `${sizes.headHeight}px`,
    "--rows": String(view.rows.length),
    "--columns": String(view.columns.length),
  };
  for (const [property, value] of Object.entries(lengths)) map.style.setProperty(property, value);
  viewOf.set(map, view);
  return element(
    "div",
    { class: "small-box", tabindex: 0, role: "region", "aria-label": label },
    map,
  );
}

/** The legend of a difference. @param {string[]} names @param {ReturnType<typeof differenceOf>} heat */
export function legend([one, other], { most, colourOf }) {
  const bar = element("span", {
    class: "bar-scale",
    role: "img",
    "aria-label": `From more attention by ${other} to more by ${one}`,
  });
  const stops = Array.from({ length: 9 }, (_, i) => colourOf(i / 4 - 1));
  bar.style.backgroundImage = `linear-gradient(to right, ${stops.join(", ")})`;
  return element(
    "p",
    { class: "note legend-line" },
    `more from ${other}, by ${most.toFixed(2)} `,
    bar,
    ` more from ${one}`,
  );
}
