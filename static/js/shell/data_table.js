/** The numbers of the map as a table, for screen readers, for copying and for checking. */

/** @import {Item, MapScene, Settings} from "../core/types" */
/** @import {PartWiring} from "./types" */

import { sumsOfColumns, sumsOfRows, toggledIn } from "../core/selection.js";
import { rowMetrics } from "../core/row_metrics.js";
import { heading, percent } from "../core/text.js";
import { around, box, html } from "../draw/dom.js";
import { PanelTable } from "./panels.js";
import { term } from "../draw/term.js";

/** @typedef {Pick<Settings, "rows" | "columns">} Selected */

export class DataTable {
  #body = box("table-body");
  /** @type {PanelTable<MapScene>} */
  #table = new PanelTable(tableOf);

  /** @type {{scene: MapScene, settings: Selected} | null} */
  #shown = null;

  /** @param {PartWiring<Selected>} wiring */
  constructor({ change }) {
    this.#body.addEventListener("click", (event) => {
      const pressed = around(event, "button");
      if (!pressed || !this.#shown) return;
      const { axis, index } = pressed.dataset;
      change(
        toggledIn(
          this.#shown.settings,
          this.#shown.scene,
          axis === "rows" ? "rows" : "columns",
          Number(index),
        ),
      );
      // The table is new; the keyboard focus stays where it was.
      /** @type {HTMLElement | null} */ (
        this.#body.querySelector(`button[data-axis="${axis}"][data-index="${index}"]`)
      )?.focus();
    });
  }

  /** @param {MapScene} scene @param {{settings: Selected}} how */
  draw(scene, { settings }) {
    this.#shown = { scene, settings };
    this.#table.draw(scene, scene.view.weights !== null);
  }

  /** @param {MapScene} scene @param {number} row */
  settle(scene, row) {
    this.#table.settle(scene, row);
  }
}

/** @param {MapScene} scene */
function tableOf(scene) {
  const { view, selection } = scene;
  const weights = view.weights ?? [];
  const [given, got] = [
    sumsOfRows(weights, selection.columns),
    sumsOfColumns(weights, selection.rows),
  ];
  const { entropies, coverages, probabilities } = rowMetrics(scene);
  const sure = probabilities.some((value) => value !== null);
  const columns = [
    ...view.columns.map((item, index) =>
      header(item, "columns", index, selection.columns.includes(index)),
    ),
    selection.columns.length > 0 &&
      html.th(
        { scope: "col", class: "margin", title: "The sum of the selected columns" },
        "selected",
      ),
    html.th(
      {
        scope: "col",
        class: "margin",
      },
      term("entropy", "entropy"),
      ", bits",
    ),
    sure &&
      html.th(
        { scope: "col", class: "margin", title: "The probability of the output" },
        "probability",
      ),
  ];
  const rows = view.rows.map((item, row) => {
    const chance = probabilities[row] ?? null;
    return html.tr(
      header(item, "rows", row, selection.rows.includes(row)),
      weights[row]?.map((value) => html.td(value.toFixed(3))),
      selection.columns.length > 0 && html.td({ class: "margin" }, given[row]?.toFixed(3)),
      html.td({ class: "margin" }, entropies[row]?.toFixed(2)),
      sure && html.td({ class: "margin" }, chance === null ? "" : percent(chance)),
    );
  });
  const foot = html.tr(
    html.th({ scope: "row", class: "margin" }, term("coverage", "coverage")),
    coverages.map((value) => html.td({ class: "margin" }, value.toFixed(2))),
    selection.columns.length > 0 && html.td(),
    html.td(),
    sure && html.td(),
  );
  const sums =
    selection.rows.length > 0 &&
    html.tr(
      html.th({ scope: "row", class: "margin", title: "The sum of the selected rows" }, "selected"),
      got.map((value) => html.td({ class: "margin" }, value.toFixed(2))),
    );
  return html.table(
    { class: "figures data" },
    html.caption(`${scene.kind.caption}. Each row sums to 1.`),
    html.thead(html.tr(html.td(), columns)),
    html.tbody(rows),
    html.tfoot(sums, !scene.kind.uncovered && foot),
  );
}

/** @param {Item} item @param {"rows" | "columns"} axis @param {number} index @param {boolean} selected */
function header(item, axis, index, selected) {
  const { text, quiet } = heading(item);
  const spoken = text === "␣" ? "space" : null;
  const scope = axis === "rows" ? "row" : "col";
  const button = html.button(
    {
      type: "button",
      class: "heading",
      "data-axis": axis,
      "data-index": index,
      "aria-pressed": String(selected),
      title: "Select it and show its sums",
      dir: "auto",
    },
    text,
  );
  return html.th({ scope, "data-quiet": quiet, abbr: spoken }, button);
}
