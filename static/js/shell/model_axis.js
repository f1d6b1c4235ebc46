/** The axis of the page of a single kind of model: scenes, sentences and parts for the stage. */

/** @import {Axes, MapAxisKind, MapSettings, ModelPage} from "../core/types" */
/** @import {Axis, OwnParts, Part, PartWiring} from "./types" */

import { noteOf } from "../core/view_notes.js";
import { viewNamed } from "../core/views.js";
import { DataTable } from "./data_table.js";
import { box } from "../draw/dom.js";
import { sayTermed } from "../draw/term.js";

/**
 * @template {MapAxisKind} A @param {ModelPage<A>} page @param {OwnParts<A>} own
 * @returns {Axis<Axes[A]["settings"], Axes[A]["trace"], Axes[A]["scene"]>}
 */
export const modelAxis = ({ kind, sceneOf }, own) => ({
  kind,
  sceneOf,
  sentence: (scene, row) => scene.kind.sentence(scene, row),
  whileGrowing: (_, settings) => (viewNamed(kind, settings.view).complete ? null : settings),
  hasSelection: ({ selection: { rows, columns } }) => rows.length + columns.length > 0,
  noSelection: /** @type {Partial<Axes[A]["settings"]>} */ (
    /** @type {Partial<MapSettings>} */ ({ rows: [], columns: [] })
  ),
  parts: (wiring) => [
    viewNote(kind, own),
    new DataTable(/** @type {PartWiring<MapSettings>} */ (wiring)),
    ...own.of(wiring),
  ],
});

/**
 * The note of the view.
 * @template {MapAxisKind} A @param {A} kind @param {OwnParts<A>} own
 * @returns {Part<Axes[A]["scene"], Axes[A]["settings"]>}
 */
function viewNote(kind, { terms, noteByRow }) {
  const say = (/** @type {Axes[A]["scene"]} */ scene) =>
    sayTermed(box("map-note"), noteOf(kind, scene), terms);
  return noteByRow ? { at: (scene, row) => say({ ...scene, row }) } : { draw: say };
}
