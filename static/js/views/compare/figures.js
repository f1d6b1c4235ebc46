/** The figures of the compared models as a table, and as a file of comma-separated values. */

/** @import {Scene} from "../../core/types" */

import { table } from "../../core/csv.js";
import { html } from "../../draw/dom.js";
import { measures, qualityOf, shortName } from "./model.js";

/** @typedef {{name: string, unit: string, digits: number, of: (scene: Scene) => number | null}} Column */

/** @type {Column[]} */
const COLUMNS = [
  { name: "entropy", unit: "bits", digits: 3, of: (scene) => figures(scene).entropy },
  { name: "probability", unit: "", digits: 4, of: (scene) => figures(scene).probability },
  { name: "log p", unit: "nats", digits: 3, of: ({ output }) => output.log_probability },
  { name: "tokens", unit: "", digits: 0, of: ({ output }) => output.steps.length },
  { name: "time", unit: "ms", digits: 1, of: (scene) => figures(scene).milliseconds },
  { name: "quality", unit: "", digits: 2, of: (scene) => figures(scene).quality },
];

/** @param {Scene} scene */
const figures = (scene) => measures({ ...scene, weights: scene.view.weights });

/** @param {Column} column @param {Scene} scene */
const shown = ({ of, digits }, scene) => of(scene)?.toFixed(digits) ?? "";

/** @param {Column} column */
const titleOf = ({ name, unit }) => (unit ? `${name}, ${unit}` : name);

/** The table of the models that have answered, and its file. @param {Scene[]} scenes */
export function figuresOf(scenes) {
  const heads = ["model", "output", ...COLUMNS.map(titleOf), "measured by"];
  const lines = scenes.map((scene) => [
    shortName(scene.model),
    scene.trace.text,
    ...COLUMNS.map((column) => shown(column, scene)),
    qualityOf(scene.model)?.key ?? "",
  ]);
  const file = encodeURIComponent(`\ufeff${table([heads, ...lines])}`);
  return [
    html.table(
      { class: "figures data" },
      html.thead(html.tr(heads.map((head) => html.th({ scope: "col" }, head)))),
      html.tbody(
        lines.map(([name, ...cells]) =>
          html.tr(
            html.th({ scope: "row" }, name),
            cells.map((cell) => html.td({ dir: "auto" }, cell)),
          ),
        ),
      ),
    ),
    html.a(
      { class: "button", download: "compared.csv", href: `data:text/csv;charset=utf-8,${file}` },
      "CSV",
    ),
  ];
}
