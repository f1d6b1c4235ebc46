/** The axis of a page: its scenes and sentences, and the parts of its stage. */

/** @import {Axes, AxisKind, PageFacts} from "../core/types" */
/** @import {Axis, OwnParts, Part} from "./types" */

import { noteOf } from "../core/view_notes.js";
import { box } from "../draw/dom.js";
import { sayTermed } from "../draw/term.js";
import { DataTable } from "./data_table.js";
import { PanelTable } from "./panels.js";

/**
 * @template {AxisKind} A @param {PageFacts<A>} page @param {OwnParts<A>} own
 * @returns {Axis<Axes[A]["settings"], Axes[A]["trace"], Axes[A]["scene"]>}
 */
export const modelAxis = ({ kind, sceneOf, sentence, whileGrowing, selection }, own) => ({
  kind,
  sceneOf,
  sentence,
  whileGrowing,
  selection,
  parts: (wiring) => [
    viewNote(kind, own),
    own.tableOf ? panelTable(own.tableOf) : dataTable(wiring),
    ...own.of(wiring),
  ],
});

/**
 * The note of the view.
 * @template {AxisKind} A @param {A} kind @param {OwnParts<A>} own
 * @returns {Part<Axes[A]["scene"], Axes[A]["settings"]>}
 */
function viewNote(kind, { terms, noteByRow, noteAt = "map-note" }) {
  const say = (/** @type {Axes[A]["scene"]} */ scene) =>
    sayTermed(box(noteAt), noteOf(kind, scene), terms);
  return noteByRow ? { at: (scene, row) => say({ ...scene, row }) } : { draw: say };
}

/** The numbers of a map with a heading for each row and column. @param {any} wiring @returns {Part<any, any>} */
const dataTable = (wiring) => new DataTable(wiring);

/**
 * @template {AxisKind} A @param {(scene: Axes[A]["scene"]) => HTMLTableElement} tableOf
 * @returns {Part<Axes[A]["scene"], Axes[A]["settings"]>}
 */
function panelTable(tableOf) {
  /** @type {PanelTable<Axes[A]["scene"]>} */
  const table = new PanelTable(tableOf);
  return { draw: (scene) => table.draw(scene), settle: (_, row) => table.at(row) };
}
