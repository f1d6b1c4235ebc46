/** The photo with the attention of one patch, or of the class token, over it. Pressing a patch shows where it looks. */

/** @import {PatchScene, PatchSettings, PatchTrace} from "../../core/types" */
/** @import {ViewWiring} from "../types" */

import { beside, patchOf, strongestCell, tokenOf } from "../../core/grid.js";
import { patchNote } from "../../core/kinds/patches.js";
import { box } from "../../draw/dom.js";
import { MOVES, PhotoFrame, cellUnder } from "./frame.js";
import { marksOf, square } from "./overlay.js";

export class View {
  #photo = new PhotoFrame();
  /** @type {PatchScene | null} */
  #scene = null;
  #row = 0;
  #select;

  /** @param {ViewWiring<PatchSettings, PatchTrace>} wiring */
  constructor({ select }) {
    this.#select = select;
    this.#photo.node.addEventListener("click", (event) => this.#pressed(event));
    this.#photo.node.addEventListener("pointermove", (event) => this.#moved(event));
    this.#photo.node.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Shows a photo while its request runs. @param {string} url */
  preview(url) {
    this.#scene = null;
    this.#photo.preview(url);
  }

  /** @param {PatchScene} scene */
  draw(scene) {
    this.#scene = scene;
    this.#photo.show(scene.trace.picture);
  }

  /** @param {number} row */
  at(row) {
    const scene = this.#scene;
    if (!scene) return;
    this.#row = row;
    this.#photo.paint(scene, row);
    const patch = patchOf(scene.trace.source, row);
    this.#photo.mark([
      ...marksOf(scene, row),
      ...(patch === null ? [] : square(scene, patch, "query")),
    ]);
    this.#photo.node.dataset.painted = String(row + 1);
  }

  /** Selects the patch, or the class token again where it is selected. @param {MouseEvent} event */
  #pressed(event) {
    const scene = this.#scene;
    if (!scene) return;
    const token = tokenOf(scene.trace.source, cellUnder(this.#photo.node, event, scene.trace));
    this.#select(token === this.#row ? 0 : token);
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    const scene = this.#scene;
    if (!scene || event.pointerType !== "mouse") return;
    const patch = cellUnder(this.#photo.node, event, scene.trace);
    this.#photo.explain(patchNote(scene, this.#row, patch), patch, scene.trace);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const scene = this.#scene;
    if (!scene || event.ctrlKey || event.metaKey || event.altKey) return;
    const { source } = scene.trace;
    const move = MOVES[event.key];
    const patch = patchOf(source, this.#row);
    if (move) {
      // From the class token it begins at the patch with the largest weight.
      const to =
        patch === null ? strongestCell(scene.weights[this.#row]) : beside(source, patch, ...move);
      this.#select(tokenOf(source, to));
    } else if (event.key === "Escape") this.#select(0);
    else return;
    box("photo-said").textContent = scene.kind.sentence(scene, this.#row);
    event.preventDefault();
    event.stopPropagation(); // here the arrows move over the photo, not from row to row
  }
}
