/** The explanations of the views in one line, by name and kind of axis; `photo_notes.js` has those over a photo. Pure. */

/** @import {Axes, AxisKind, GraphScene, Item, MapScene, Scene} from "./types" */
/** @import {ViewNotes} from "../views/types" */

import { networkNote, partByPart } from "./part_notes.js";
import { axisNames } from "./sentences.js";
import { listed } from "./word_notes.js";
import { named } from "./text.js";

/** @type {Record<string, ViewNotes>} */
export const NOTES = {
  graph: { graph: graphNote },
  path: {
    glimpses: () =>
      "The network sees nothing but what lies in the three squares: each is twice as wide as the one inside it, and has as many pixels. The line goes from glimpse to glimpse.",
  },
  map: {
    others: selectedNote,
  },
  ribbons: {
    tokens: (scene) => {
      const { row, column, pieces } = axisNames(scene);
      return `Each ribbon links an ${row} to an ${column} and is as wide as its weight; the total width at a ${pieces} is its coverage.${scene.links ? " Lines are words that a person linked, dotted ones possible links." : ""}`;
    },
  },
  arcs: { others: arcsNote },
  patches: {
    tokens: () =>
      "The brighter a place of the picture, the higher its weight at the word. The text above is tinted by the weights of the same row.",
  },
  network: {
    tokens: ({ parts, view }) =>
      view.weights
        ? networkNote(parts)
        : "Without attention, all of the input goes through one vector. Press a part for its numbers; Play computes the text part by part.",
  },
  step: {
    tokens: partByPart,
    sentences: partByPart,
    graph: partByPart,
    reading: partByPart,
    glimpses: partByPart,
  },
  heads: {
    tokens: () =>
      "Every head of every layer, with the entropy of its weights, or in the order of a measure. Point at a small one to enlarge it; press one to open it.",
  },
  audit: {
    tokens: () =>
      "What this map is worth on this example: each cell is taken away from a forced step, and every figure stands beside its baseline.",
  },
  compare: {
    tokens: (scene) => scene.kind.mapNote(scene),
  },
};

/** @param {Pick<GraphScene, "layers" | "picked" | "view" | "row">} scene */
export function graphNote({ view, row }) {
  const name = view.rows[row]?.text ?? "";
  return `Edges are as thick as the attention along them: coloured from ${name}, grey the mean of both directions. The ring around ${name} is its attention to itself. A node with a thick outline has a known class.`;
}

/** @param {MapScene} scene */
function selectedNote(scene) {
  const { rows, columns } = scene.selection;
  return rows.length || columns.length ? selectionNote(scene) : scene.kind.mapNote(scene);
}

/** The selected rows and columns, and the position of their sums. @param {MapScene} scene */
function selectionNote({ view, selection: { rows, columns } }) {
  const names = (/** @type {Item[]} */ items, /** @type {number[]} */ at) =>
    listed(at.flatMap((index) => items[index] ?? []).map(named));
  const parts = [
    columns.length &&
      `Selected: ${names(view.columns, columns)}. The numbers at the side show how much attention each row pays to ${columns.length > 1 ? "them" : "it"}.`,
    rows.length &&
      `Selected: ${rows.length > 1 ? "rows" : "row"} ${names(view.rows, rows)}. The numbers below show how much attention each column receives from ${rows.length > 1 ? "them" : "it"}.`,
  ];
  return `${parts.filter(Boolean).join(" ")} Press Escape to clear the selection.`;
}

/** @param {Scene} scene */
export function arcsNote(scene) {
  const { row, reads } = axisNames(scene);
  const words = scene.kind.rowName ?? row;
  const later = reads && scene.picked?.kind !== "decoder-self";
  const ways = later
    ? `Arcs above, or to the left, lead from each ${words} to those before it that it attends to; the others to those after it`
    : `Arcs lead from each ${words} to those before it that it leans on`;
  return `${ways}. An arc is as wide as its weight. The numbers are the weights of the current ${words}.`;
}

/** The explanation of the view of a scene. @template {AxisKind} A @param {A} kind @param {Axes[A]["scene"]} scene */
export function noteOf(kind, scene) {
  const note = /** @type {((scene: Axes[A]["scene"]) => string) | undefined} */ (
    NOTES[scene.viewName]?.[kind] ?? NOTES[scene.viewName]?.others
  );
  return note?.(scene) ?? "";
}
