/** The numbers, a row for each token: for a screen reader, for copying, for checking. */

/** @import {PatchScene} from "../../core/types" */

import { rowAndColumn } from "../../core/grid.js";
import { tokenName } from "../../core/grid.js";
import { entropy } from "../../core/row_metrics.js";
import { html } from "../../draw/dom.js";

const MOST_NAMED = 3;
const TITLES = [
  ["entropy, bits", "0 for a single token, 7.6 for equal weights"],
  ["patches, the strongest first", "Those with the largest weights, and α there"],
  ["itself", "The weight of the token itself"],
  ["class token", "The weight of the class token"],
];

/** @param {PatchScene} scene */
export function tableOf({ rows, weights, view, trace: { source } }) {
  const lines = weights.slice(0, rows.length).map((cells, row) => {
    const whole = view.weights?.[row] ?? [];
    const strongest = [...cells.entries()].sort((a, b) => b[1] - a[1]).slice(0, MOST_NAMED);
    const values = [
      entropy(whole).toFixed(2),
      strongest
        .map(([cell, weight]) => `${rowAndColumn(source, cell)} (${weight.toFixed(4)})`)
        .join("; "),
      (whole[row] ?? 0).toFixed(4),
      source.marks?.length ? (whole[0] ?? 0).toFixed(4) : "",
    ];
    return html.tr(
      html.th({ scope: "row" }, tokenName(source, row)),
      values.map((value) => html.td(value)),
    );
  });
  const caption = `A row for each token that looks. Patches are counted from the upper left corner; there are ${source.rows} by ${source.columns}.`;
  return html.table(
    { class: "figures data" },
    html.caption(caption),
    html.thead(
      html.tr(
        html.td(),
        TITLES.map(([name, title]) => html.th({ scope: "col", title }, name)),
      ),
    ),
    html.tbody(lines),
  );
}
