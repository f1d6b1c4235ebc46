/** The positional embeddings: all of them as small squares, and the chosen one large. */

/** @import {Palette, PatchScene, PatchSettings, PatchTrace} from "../../core/types" */
/** @import {ViewWiring} from "../types" */

import { divergent } from "../../core/colours.js";
import { cellAt, cellRectangle, rowAndColumn } from "../../core/grid.js";
import { patchOf, tokenName, tokenOf } from "../../core/grid.js";
import { signed } from "../../core/text.js";
import { html } from "../../draw/dom.js";
import { pixels } from "../../draw/raster.js";
import { Tooltip } from "../../draw/tooltip.js";
import { likenessOf, overview } from "./model.js";

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
    const { size, colourAt } = overview(scene, palette);
    const drawn = pixels({ ...size, colourAt });
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
    const likeness = likenessOf(scene, row);
    const colourAt = (/** @type {number} */ y, /** @type {number} */ x) =>
      divergent(palette, likeness[y * source.columns + x] ?? 0);
    this.#one.replaceChildren(pixels({ ...source, colourAt }));
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
    const frame = square.getBoundingClientRect();
    return cellAt(
      unit(this.#shown.scene),
      (event.clientX - frame.left) / frame.width,
      (event.clientY - frame.top) / frame.height,
      WHOLE,
    );
  }
}

/** The grid over a square of side 1. @param {PatchScene} scene */
const unit = ({ trace: { source } }) => ({ ...source, left: 0, top: 0, ...WHOLE });
