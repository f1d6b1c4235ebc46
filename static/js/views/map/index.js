/** The heatmap: a row for each output word, a column for each input word. */

/** @import {Item, MapScene} from "../../core/types" */
/** @import {View} from "../registry.js" */

import { places, setting } from "../../core/address.js";
import { axisNames, listed, ofGraph, ofGlimpses, ofStory } from "../../core/sentences.js";
import { named } from "../../core/text.js";
import { ofTape } from "../../core/trace.js";

const SELECTION = { rows: setting(places(), []), columns: setting(places(), []) };

/** @type {View} */
export const map = {
  name: "map",
  title: "Map",
  place: "map",
  dom: {
    tokens: () => import("./view.js"),
    patches: () => import("./view.js"),
    sentences: () => import("./view.js"),
    glimpses: () => import("./view.js"),
    graph: () => import("./view.js"),
    reading: () => import("./view.js"),
  },
  svg: {
    tokens: () => import("./svg.js"),
    patches: () => import("./patch_svg.js"),
    sentences: () => import("./svg.js"),
    glimpses: () => import("./svg.js"),
    graph: () => import("./svg.js"),
    reading: () => import("./svg.js"),
  },
  note: {
    tokens: noteOf,
    patches: () =>
      "Each row is a token that looks, each column one that it looks at: first the class token, then the patches, named by row and column of the photo.",
    sentences: noteOf,
    glimpses: noteOf,
    graph: noteOf,
    reading: noteOf,
  },
  settings: {
    tokens: SELECTION,
    patches: SELECTION,
    sentences: SELECTION,
    glimpses: SELECTION,
    graph: SELECTION,
    reading: SELECTION,
  },
};

/** @param {MapScene} scene */
function noteOf(scene) {
  const { rows, columns } = scene.selection;
  return rows.length || columns.length ? selectionNote(scene) : mapNote(scene);
}

/** @param {MapScene} scene */
export function mapNote(scene) {
  if (ofStory(scene))
    return "Each row is a hop: how much the network attends to each sentence of the story before it goes on. The numbers of a row add up to 1.";
  if (ofGraph(scene))
    return "Each row is a node: how much it attends to each of its neighbours and to itself. There is no weight where there is no edge, and the numbers of a row add up to 1.";
  if (ofGlimpses(scene))
    return "Each row is a glimpse: how probable the network holds each digit after it. The numbers of a row add up to 1. Where it looks is in the view Path.";
  if (ofTape(scene.trace))
    return "Each row is a word: how much the network leans on the start and on each word before it when it predicts that word. The numbers of a row add up to 1.";
  const { row, column, reads } = axisNames(scene);
  const { sinks } = scene.picked ?? {};
  const sum = sinks ? "add up to 1 together with the weight on no column" : "add up to 1";
  return `Attention is how much the model looks at each ${column} while it ${reads ? "reads" : "writes"} an ${row}: each row is an ${row}, and its numbers ${sum}.`;
}

/** The selected rows and columns, and the position of their sums. @param {MapScene} scene */
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
