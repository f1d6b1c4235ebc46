/** The axis of a page: its scenes and sentences, and the parts of its stage. */

/** @import {Axes, AxisKind, PageFacts} from "../core/types" */
/** @import {Axis, OwnParts, Part} from "./types" */

import { box } from "../draw/dom.js";
import { sayTermed } from "../draw/term.js";

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
  parts: (wiring) => [viewNote(own), ...own.of(wiring)],
});

/**
 * The note of the view.
 * @template {AxisKind} A @param {OwnParts<A>} own
 * @returns {Part<Axes[A]["scene"], Axes[A]["settings"]>}
 */
function viewNote({ note, terms, noteByRow, noteAt = "map-note" }) {
  const say = (/** @type {Axes[A]["scene"]} */ scene) => sayTermed(box(noteAt), note(scene), terms);
  return noteByRow ? { at: (scene, row) => say({ ...scene, row }) } : { draw: say };
}
