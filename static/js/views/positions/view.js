/** The positional embeddings: all of them as small squares, and the chosen one large. */

/** @import {Palette, PatchScene, PatchSettings, PatchTrace} from "../../core/types" */
/** @import {ViewWiring} from "../types" */

import { cellRectangle, patchOf, rowAndColumn, tokenName, tokenOf } from "../../core/grid.js";
import { signed } from "../../core/text.js";
import { html } from "../../draw/dom.js";
import { pixels } from "../../draw/pixels.js";
import { Tooltip } from "../../draw/tooltip.js";
import { cellUnder } from "../photo/frame.js";
import { likenessOf, likenessRaster, overview } from "./model.js";

/** The whole of a square, as the picture of its cells. */
const WHOLE = { width: 1, height: 1 };

export class View {
  #all = html.div({ class: "positions-all" });
  #frame = html.div({ class: "positions-frame", "aria-hidden": "true" });
  #one = html.div({ class: "positions-one", role: "img" });
  #name = html.p({ class: "note" });
  #tooltip = new Tooltip();
  /** @type {{scene: PatchScene, palette: Palette} | null} */
  #shown = null;
  #row = 0;

  /** @param {ViewWiring<PatchSettings, PatchTrace>} wiring */
  constructor({ place, select }) {
    place.classList.add("positions");
    const large = html.div({ class: "positions-large" }, this.#one, this.#name);
    place.append(this.#all, large);
    for (const square of [this.#all, this.#one]) {
      square.addEventListener("click", (event) => {
        const patch = this.#patchUnder(square, event);
        if (this.#shown && patch !== null) select(tokenOf(this.#shown.scene.trace.source, patch));
      });
    }
    this.#one.addEventListener("pointermove", (event) => this.#explain(event));
    this.#one.addEventListener("pointerleave", () => this.#tooltip.hide());
  }

  /** @param {PatchScene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    this.#shown = { scene, palette };
    const there = Boolean(scene.trace.positions);
    this.#all.hidden = this.#one.hidden = !there;
    if (!there) return;
    const drawn = pixels(overview(scene, palette));
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", "Likeness of each two positional embeddings");
    this.#all.replaceChildren(drawn, this.#frame);
  }

  /** @param {number} row */
  at(row) {
    if (!this.#shown?.scene.trace.positions) return;
    const { scene, palette } = this.#shown;
    const { source } = scene.trace;
    this.#row = row;
    this.#one.replaceChildren(pixels(likenessRaster(scene, row, palette)));
    this.#one.setAttribute("aria-label", `Likeness to the ${tokenName(source, row)}`);
    this.#name.textContent = `The position of the ${tokenName(source, row)}`;
    const patch = patchOf(source, row);
    this.#frame.hidden = patch === null;
    if (patch === null) return;
    const { left, top, width, height } = cellRectangle(unit(scene), patch, WHOLE);
    for (const [name, share] of Object.entries({ left, top, width, height }))
      this.#frame.style.setProperty(name, `${100 * share}%`);
  }

  /** @param {PointerEvent} event */
  #explain(event) {
    const patch = this.#patchUnder(this.#one, event);
    if (!this.#shown || patch === null || event.pointerType !== "mouse") return;
    const { scene } = this.#shown;
    const value = likenessOf(scene, this.#row)[patch] ?? 0;
    this.#tooltip.explain(
      `${rowAndColumn(scene.trace.source, patch)}: cosine ${signed(value, 3)}`,
      new DOMRect(event.clientX, event.clientY, 1, 1),
    );
  }

  /** @param {HTMLElement} square @param {MouseEvent} event */
  #patchUnder(square, event) {
    if (!this.#shown) return null;
    return cellUnder(square, event, { source: unit(this.#shown.scene), picture: WHOLE });
  }
}

/** The grid over a square of side 1. @param {PatchScene} scene */
const unit = ({ trace: { source } }) => ({ ...source, left: 0, top: 0, ...WHOLE });
