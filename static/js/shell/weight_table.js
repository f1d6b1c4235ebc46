/** The table of the weights of a map, with their sums. Loaded with the first table that is opened. */

/** @import {Item, MapScene} from "../core/types" */

import { sumsOfColumns, sumsOfRows } from "../core/selection.js";
import { rowMetrics } from "../core/row_metrics.js";
import { heading, percent } from "../core/text.js";
import { html } from "../draw/dom.js";
import { term } from "../draw/term.js";

/** @param {MapScene} scene */
export function tableOf(scene) {
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
