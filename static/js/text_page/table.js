/** The table behind the picture: the same numbers, for a screen reader, for copying, for checking. */

/** @import {Item, Scene} from "../core/types" */

import { sumsOfColumns, sumsOfRows } from "../core/selection.js";
import { margins } from "../core/row_metrics.js";
import { heading, percent } from "../core/text.js";
import { box, element } from "../shell/dom.js";
import { PanelTable } from "../shell/panel_table.js";

export class DataTable {
  #body = box("table-body");
  /** @type {PanelTable<Scene>} */
  #table = new PanelTable(tableOf);

  /** @param {(axis: "rows" | "columns", index: number) => void} hold told of the heading that was pressed */
  constructor(hold) {
    this.#body.addEventListener("click", (event) => {
      const pressed = /** @type {Element} */ (event.target).closest("button");
      if (!pressed) return;
      const { axis, index } = pressed.dataset;
      hold(axis === "rows" ? "rows" : "columns", Number(index));
      // The table is made anew; the keyboard stays where it was.
      /** @type {HTMLElement | null} */ (this.#body.querySelector(`button[data-axis="${axis}"][data-index="${index}"]`))?.focus();
    });
  }

  /** @param {Scene} scene */
  draw(scene) {
    this.#table.draw(scene, scene.view.weights !== null);
  }

  /** @param {number} row */
  at(row) {
    this.#table.at(row);
  }
}

/** @param {Scene} scene */
function tableOf(scene) {
  const { view, held } = scene;
  const weights = view.weights ?? [];
  const [given, got] = [sumsOfRows(weights, held.columns), sumsOfColumns(weights, held.rows)];
  const { entropies, coverages, probabilities } = margins(scene);
  const sure = probabilities.some((value) => value !== null);
  const columns = [
    ...view.columns.map((item, index) => header(item, "columns", index, held.columns.includes(index))),
    held.columns.length > 0 && element("th", { scope: "col", class: "margin", title: "The sum of the held columns" }, "held"),
    element("th", { scope: "col", class: "margin", title: "How spread out the row is" }, "entropy, bits"),
    sure && element("th", { scope: "col", class: "margin", title: "How likely the model held what it wrote" }, "probability"),
  ];
  const rows = view.rows.map((item, row) => {
    const chance = probabilities[row];
    return element(
      "tr",
      {},
      header(item, "rows", row, held.rows.includes(row)),
      ...weights[row].map((value) => element("td", {}, value.toFixed(3))),
      held.columns.length > 0 && element("td", { class: "margin" }, given[row].toFixed(3)),
      element("td", { class: "margin" }, entropies[row].toFixed(2)),
      sure && element("td", { class: "margin" }, chance === null ? "" : percent(chance)),
    );
  });
  const foot = element(
    "tr",
    {},
    element("th", { scope: "row", class: "margin", title: "The sum of the column" }, "coverage"),
    ...coverages.map((value) => element("td", { class: "margin" }, value.toFixed(2))),
    held.columns.length > 0 && element("td", {}),
    element("td", {}),
    sure && element("td", {}),
  );
  const sums = held.rows.length > 0 && element(
    "tr",
    {},
    element("th", { scope: "row", class: "margin", title: "The sum of the held rows" }, "held"),
    ...got.map((value) => element("td", { class: "margin" }, value.toFixed(2))),
  );
  const caption = "Weights α. Each row is a piece written, each column a piece read; a row sums to 1.";
  return element(
    "table",
    { class: "figures data" },
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, element("td", {}), ...columns)),
    element("tbody", {}, ...rows),
    element("tfoot", {}, sums, foot),
  );
}

/** @param {Item} item @param {"rows" | "columns"} axis @param {number} index @param {boolean} held */
function header(item, axis, index, held) {
  const { text, quiet } = heading(item);
  const spoken = text === "␣" ? "space" : null;
  const scope = axis === "rows" ? "row" : "col";
  const button = element("button", { type: "button", class: "heading", "data-axis": axis, "data-index": index, "aria-pressed": String(held), title: "Hold it, and see its sums", dir: "auto" }, text);
  return element("th", { scope, "data-quiet": quiet, abbr: spoken }, button);
}
