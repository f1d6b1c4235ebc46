/** The explanations of the views in one line, by name and kind of axis. Pure. */

/** @import {Axes, AxisKind, GraphScene, Item, MapScene, PatchScene, PictureScene, Scene} from "./types" */
/** @import {ViewNotes} from "../views/types" */

import { axisNames, listed } from "./sentences.js";
import { named } from "./text.js";

/** @type {Record<string, ViewNotes>} */
export const NOTES = {
  graph: { graph: graphNote },
  path: {
    glimpses: () =>
      "The network sees nothing but what lies in the three squares: each is twice as wide as the one inside it, and has as many pixels. The line goes from glimpse to glimpse.",
  },
  photo: {
    grid: (scene) =>
      scene.rows.some(({ special }) => !special) ? `${HOW[scene.style]}: ${shown(scene)}.` : "",
    patches: (scene) =>
      `${HOW[scene.style]}: ${read(scene)}. Press a patch to see where it looks; press it again for the class token.`,
  },
  map: {
    patches: () =>
      "Each row is a token that looks, each column one that it looks at: first the class token, then the patches, named by row and column of the photo.",
    others: selectedNote,
  },
  ribbons: {
    tokens: (scene) => {
      const { row, column, pieces } = axisNames(scene);
      return `Each ribbon links an ${row} to an ${column} and is as wide as its weight; the total width at a ${pieces} is its coverage.`;
    },
  },
  arcs: { others: arcsNote },
  patches: {
    tokens: () =>
      "The brighter a place of the picture, the higher its weight at the word. The text above is tinted by the weights of the same row.",
  },
  sheet: { grid: () => "Every word with its map. Press one to open it." },
  network: {
    tokens: ({ parts, view }) =>
      view.weights
        ? networkNote(parts)
        : "Without attention, all of the input goes through one vector. Press a part for its numbers; Play computes the text part by part.",
    grid: ({ parts }) => networkNote(parts),
  },
  step: {
    tokens: partByPart,
    sentences: partByPart,
    graph: partByPart,
    patches: () => `Press a patch to go to it. ${partByPart()}`,
    reading: partByPart,
    glimpses: partByPart,
    grid: partByPart,
  },
  heads: {
    tokens: () =>
      "Every head of every layer, with the entropy of its weights, or in the order of a measure. Point at a small one to enlarge it; press one to open it.",
    patches: () =>
      "Where this token looks in every head of every layer, with the entropy of its weights. Press one to open it.",
    grid: () =>
      "Every head of every layer at this word, with the entropy of its weights. Press one to open it.",
  },
  audit: { others: auditNote },
  positions: {
    patches: ({ trace }) =>
      trace.positions
        ? "Each small square belongs to the position of one patch, and shows how alike its embedding is to those of all others: the cosine, from −1 (brown) to 1 (blue). The model learned them; they are the same for every photo. Press one to look from there."
        : "This trace has no positional embeddings.",
  },
  compare: {
    tokens: (scene) => scene.kind.mapNote(scene),
    grid: () =>
      "The same photo, captioned by each model. Point at a place to see how much attention each model pays to it.",
  },
};

function auditNote() {
  return "What this map is worth on this example: each cell is taken away from a forced step, and every figure stands beside its baseline.";
}

function partByPart() {
  return "Back and forward move from part to part; point at a symbol for its value.";
}

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
    listed(at.map((index) => named(items[index])));
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

const HOW = {
  heat: "The brighter a place, the higher its weight",
  outline: "The lines surround half and four fifths of the weight",
  spotlight: "The lit places have the highest weights",
};

/** @param {PictureScene} scene */
function shown({ picked, heads, pool }) {
  if (picked?.kind === "drawn") return "how often each cell was drawn for the word";
  if (heads.length > 1 && pool)
    return `the ${pool === "mean" ? "mean" : "maximum"} of ${heads.length} heads for the word`;
  return "the attention of the model at the word";
}

/** @param {PatchScene} scene */
function read({ picked, heads, layers, pool }) {
  const layer = (picked?.layer ?? 0) + 1;
  if (pool === "rollout")
    return `rollout, what is read through ${layer === layers.length ? "all layers" : `the layers up to ${layer}`}`;
  const head = pool
    ? `the ${pool === "mean" ? "mean" : "maximum"} of ${heads.length} heads`
    : `head ${(picked?.head ?? 0) + 1}`;
  return `${head} of layer ${layer}`;
}

/** @param {number} parts */
const networkNote = (parts) =>
  parts > 1
    ? "The parts of the network in this step; arrows are as wide as their weights. Press a part for its numbers; Play computes the text part by part."
    : "The weights of this row, as wide as they are strong. Press a part for its numbers.";

/** The explanation of the view of a scene. @template {AxisKind} A @param {A} kind @param {Axes[A]["scene"]} scene */
export function noteOf(kind, scene) {
  const note = /** @type {((scene: Axes[A]["scene"]) => string) | undefined} */ (
    NOTES[scene.viewName]?.[kind] ?? NOTES[scene.viewName]?.others
  );
  return note?.(scene) ?? "";
}
