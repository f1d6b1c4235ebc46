/** The heatmap: a row for each output word, a column for each input word. */

/** @import {Item, Scene} from "../../core/types" */
/** @import {View} from "../registry.js" */

import { places, setting } from "../../core/address.js";
import { axisNames, listed } from "../../core/sentences.js";
import { named } from "../../core/text.js";

/** @type {View} */
export const map = {
  name: "map",
  title: "Map",
  place: "map",
  dom: { tokens: () => import("./view.js") },
  svg: { tokens: () => import("./svg.js") },
  note: {
    tokens: (scene) =>
      scene.selection.rows.length || scene.selection.columns.length
        ? selectionNote(scene)
        : mapNote(scene),
  },
  settings: { tokens: { rows: setting(places(), []), columns: setting(places(), []) } },
};

/** @param {Scene} scene */
export function mapNote(scene) {
  const { piece, rows, columns } = axisNames(scene);
  const verb = rows === "input" ? "reads" : "writes";
  return `Attention is how much the model looks at each ${columns} ${piece} while it ${verb} an ${rows} ${piece}: each row is an ${rows} ${piece}, and its numbers add up to 1.`;
}

/** The selected rows and columns, and the position of their sums. @param {Scene} scene */
function selectionNote({ view, selection: { rows, columns } }) {
  const names = (/** @type {Item[]} */ items, /** @type {number[]} */ at) =>
    listed(at.map((index) => named(items[index])));
  const parts = [
    columns.length &&
      `Selected: ${names(view.columns, columns)}. The numbers at the side show how much attention each row pays to ${columns.length > 1 ? "them" : "it"}.`,
    rows.length &&
      `Selected: ${rows.length > 1 ? "rows" : "row"} ${names(view.rows, rows)}. The numbers below show how much attention each column receives from ${rows.length > 1 ? "them" : "it"}.`,
  ];
  return `${parts.filter(Boolean).join(" ")} Press Escape to clear the selection.`;
}
