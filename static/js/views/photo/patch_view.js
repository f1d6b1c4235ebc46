/** The photo with the attention of one patch, or of the class token, over it. Pressing a patch shows where it looks. */

/** @import {PatchScene, PatchSettings, PatchTrace} from "../../core/types" */
/** @import {ViewWiring} from "../types" */

import { beside, cellAt, cellRectangle, patchOf, strongestCell, tokenOf } from "../../core/grid.js";
import { patchNote } from "../../core/kinds/patches.js";
import { box, byId } from "../../draw/dom.js";
import { Tooltip } from "../../draw/tooltip.js";
import { shownAspect } from "../../core/photo_map.js";
import { paintHeat } from "../../draw/photo_heat.js";
import { marksOf, square } from "./overlay.js";

/** @type {Record<string, [number, number]>} */
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class View {
  #frame = box("photo");
  #image = byId("photo-image", HTMLImageElement);
  #canvas = byId("photo-heat", HTMLCanvasElement);
  #marks = /** @type {SVGSVGElement} */ (
    /** @type {unknown} */ (document.getElementById("photo-marks"))
  );
  #tooltip = new Tooltip();
  /** @type {PatchScene | null} */
  #scene = null;
  #row = 0;
  #select;

  /** @param {ViewWiring<PatchSettings, PatchTrace>} wiring */
  constructor({ select }) {
    this.#select = select;
    this.#frame.addEventListener("click", (event) => this.#pressed(event));
    this.#frame.addEventListener("pointermove", (event) => this.#moved(event));
    this.#frame.addEventListener("pointerleave", () => this.#tooltip.hide());
    this.#frame.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Shows a photo while its request runs. @param {string} url */
  preview(url) {
    this.#scene = null;
    this.#frame.removeAttribute("data-painted");
    this.#frame.toggleAttribute("data-waiting", true);
    this.#marks.replaceChildren();
    this.#canvas.width = 1;
    this.#image.onload = () => this.#fit(this.#image.naturalWidth, this.#image.naturalHeight);
    this.#image.onerror = () => this.#image.removeAttribute("src"); // not a broken-image icon
    this.#image.src = url;
  }

  /** @param {PatchScene} scene */
  draw(scene) {
    this.#scene = scene;
    const { picture } = scene.trace;
    this.#frame.removeAttribute("data-waiting");
    this.#image.onload = null;
    if (this.#image.src !== picture.preview) this.#image.src = picture.preview;
    this.#fit(picture.width, picture.height);
  }

  /** @param {number} width @param {number} height */
  #fit(width, height) {
    this.#frame.style.setProperty("--aspect", String(shownAspect({ width, height })));
  }

  /** @param {number} row */
  at(row) {
    const scene = this.#scene;
    if (!scene) return;
    this.#row = row;
    paintHeat(this.#canvas, scene, row);
    const patch = patchOf(scene.trace.source, row);
    this.#marks.replaceChildren(
      ...marksOf(scene, row),
      ...(patch === null ? [] : square(scene, patch, "query")),
    );
    this.#frame.dataset.painted = String(row + 1);
  }

  /** @param {MouseEvent} event @param {PatchScene} scene */
  #patchUnder(event, { trace }) {
    const frame = this.#frame.getBoundingClientRect();
    return cellAt(
      trace.source,
      (event.clientX - frame.left) / frame.width,
      (event.clientY - frame.top) / frame.height,
      trace.picture,
    );
  }

  /** Selects the patch, or the class token again where it is selected. @param {MouseEvent} event */
  #pressed(event) {
    const scene = this.#scene;
    if (!scene) return;
    const token = tokenOf(scene.trace.source, this.#patchUnder(event, scene));
    this.#select(token === this.#row ? 0 : token);
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    const scene = this.#scene;
    if (!scene || event.pointerType !== "mouse") return;
    const patch = this.#patchUnder(event, scene);
    const place = cellRectangle(scene.trace.source, patch, scene.trace.picture);
    const frame = this.#frame.getBoundingClientRect();
    this.#tooltip.explain(
      patchNote(scene, this.#row, patch),
      new DOMRect(
        frame.left + place.left * frame.width,
        frame.top + place.top * frame.height,
        place.width * frame.width,
        place.height * frame.height,
      ),
    );
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
