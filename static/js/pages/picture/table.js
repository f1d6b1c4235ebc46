/** The numbers, a row for each word: for a screen reader, for copying, for checking. */

/** @import {PictureScene} from "../../core/types" */

import { entropy } from "../../core/row_metrics.js";
import { heading, percent } from "../../core/text.js";
import { html } from "../../draw/dom.js";
import { rowAndColumn, strongestCell } from "../../core/grid.js";
import { drawnAt, gateOf, attentionTo, probabilityOf } from "../../core/grid_scene.js";

/** @param {PictureScene} scene */
export function tableOf(scene) {
  const { rows, weights, cells, trace } = scene;
  const gated = rows.some((_, row) => gateOf(scene, row) !== null);
  const drew = rows.some((_, row) => drawnAt(scene, row).length > 0);
  const given = attentionTo(weights, cells);
  const titles = [
    ["probability", "The probability of the output"],
    ["entropy, bits", "0 for a single cell, 7.6 for equal weights"],
    ["strongest cell", "The cell with the largest weight"],
    ["its weight", "α there"],
    ...(gated ? [["β", "Gate: how much the picture counted for this word"]] : []),
    ...(drew ? [["cell drawn", "The cell drawn at random"]] : []),
    ...(cells.length ? [["selected", "The attention to the selected cells together"]] : []),
  ];
  const lines = rows.map((item, row) => {
    const { text, quiet } = heading(item);
    const chance = probabilityOf(scene, row);
    const own = weights[row] ?? [];
    const strongest = strongestCell(own);
    const gate = gateOf(scene, row);
    const values = [
      chance === null ? "" : percent(chance),
      entropy(own).toFixed(2),
      rowAndColumn(trace.source, strongest),
      (own[strongest] ?? 0).toFixed(3),
      ...(gated ? [gate === null ? "" : gate.toFixed(3)] : []),
      ...(drew
        ? [
            drawnAt(scene, row)
              .map(({ cell }) => rowAndColumn(trace.source, cell))
              .join("; "),
          ]
        : []),
      ...(cells.length ? [(given[row] ?? 0).toFixed(3)] : []),
    ];
    return html.tr(
      html.th({ scope: "row", "data-quiet": quiet }, html.span({ dir: "auto" }, text)),
      values.map((value) => html.td(value)),
    );
  });
  return html.table(
    { class: "figures data" },
    html.caption(
      `A row for each word. Cells are counted from the upper left corner; there are ${trace.source.rows} by ${trace.source.columns} cells.`,
    ),
    html.thead(
      html.tr(
        html.td(),
        titles.map(([name, title]) => html.th({ scope: "col", title }, name)),
      ),
    ),
    html.tbody(lines),
  );
}
