/** One token of a Vision Transformer in one head, number by number. Pressing a patch of a figure goes to it. */

/** @import {PatchScene, PatchSettings, PatchTrace} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */
/** @import {PartName} from "../../core/step_parts.js" */
/** @import {Part} from "./part_section.js" */

import { cellAt, rowAndColumn } from "../../core/grid.js";
import { tokenOf } from "../../core/patch_scene.js";
import { Bars } from "../../draw/bars.js";
import { element, place as fill, say } from "../../draw/dom.js";
import { Tooltip } from "../../draw/tooltip.js";
import { Strip } from "../../draw/vector_strip.js";
import { SymbolNotes, showFormula } from "./formula_line.js";
import { GridFigures, numbersOf } from "./grid_figures.js";
import { KeyTable } from "./key_table.js";
import { partOf, showUntil } from "./part_section.js";
import { PATCH_PARTS } from "../../core/step_parts.js";
import { patchChain } from "./patch_step.js";

export class View {
  #tooltip = new Tooltip();
  #figures = new GridFigures();
  #table = new KeyTable();
  #others = element("p", { class: "note" });
  #bars = new Bars();
  /** @type {Part<PartName>[]} */
  #parts = PATCH_PARTS.map((name, index) => partOf(name, index));
  #strips = new Map(PATCH_PARTS.map((name) => [name, new Strip()]));
  #notes;
  #select;
  /** @type {PatchScene | null} */
  #scene = null;
  /** @type {ReturnType<typeof patchChain> | null} */
  #chain = null;

  /** @param {ViewWiring<PatchSettings, PatchTrace>} wiring */
  constructor({ place, select }) {
    this.#select = select;
    this.#notes = new SymbolNotes(place, this.#tooltip);
    place.classList.add("chain", "patch-chain");
    place.replaceChildren(...this.#parts.map(({ section }) => section));
    place.addEventListener("pointermove", (event) => this.#point(event));
    place.addEventListener("pointerleave", () => this.#tooltip.hide());
    place.addEventListener("click", (event) => {
      const found = this.#cellUnder(event);
      if (found && this.#scene) this.#select(tokenOf(this.#scene.trace.source, found.cell));
    });
  }

  /** @param {PatchScene} scene */
  draw(scene) {
    this.#scene = scene;
    this.#chain = null;
  }

  /** @param {number} row @param {RowState} state */
  at(row, { part }) {
    const scene = this.#scene;
    if (!scene) return;
    const chain = patchChain(scene, row);
    this.#chain = chain;
    for (const { name, title, formula, note, body } of this.#parts) {
      const text = chain.words?.text(name) ?? { title: "", says: "" };
      say(title, text.title);
      showFormula(formula, chain.words?.formula(name, chain) ?? []);
      say(note, text.says);
      fill(body, this.#bodyOf(name, chain, scene));
    }
    this.#table.until(PATCH_PARTS[Math.min(part, PATCH_PARTS.length - 1)]);
    this.#notes.explain();
    showUntil(this.#parts, part);
  }

  /** @param {PartName} name @param {ReturnType<typeof patchChain>} chain @param {PatchScene} scene @returns {Node[]} */
  #bodyOf(name, chain, scene) {
    const { words, query, context, state } = chain;
    const cells = { ...chain, gate: null, drawn: null, fed: null };
    switch (name) {
      case "query":
        return this.#vector(name, words?.query, query);
      case "scores": {
        const table = this.#table.prepare(chain);
        this.#table.show(chain);
        say(this.#others, chain.others ?? "");
        return [this.#figures.scores(cells, scene), table, this.#others];
      }
      case "weights":
        return [this.#figures.weights(cells, scene)];
      case "context":
        return [
          this.#figures.regions(cells, scene),
          ...this.#vector(name, words?.context, context),
        ];
      default: {
        const shown = this.#vector(name, words?.state, state);
        const { alternatives, written } = chain;
        return alternatives.length ? [...shown, this.#bars.show(alternatives, written)] : shown;
      }
    }
  }

  /** @param {PartName} name @param {[string, string] | undefined} called @param {import("../../core/types").Vector | null} value @returns {Node[]} */
  #vector(name, called, value) {
    const strip = this.#strips.get(name);
    return strip && called && value ? [strip.call(...called).show(value)] : [];
  }

  /** The cell of a figure under the pointer, and its place on the screen. @param {PointerEvent | MouseEvent} event */
  #cellUnder({ target, clientX, clientY }) {
    const grid = target instanceof Element ? target.closest(".grid-of") : null;
    if (!grid || !this.#scene) return null;
    const { left, top, width, height } = grid.getBoundingClientRect();
    const { source, picture } = this.#scene.trace;
    const cell = cellAt(source, (clientX - left) / width, (clientY - top) / height, picture);
    return { cell, at: new DOMRect(clientX, clientY - 4, 0, 8) };
  }

  /** Shows the numbers of the cell under the pointer. @param {PointerEvent} event */
  #point(event) {
    const found = this.#cellUnder(event);
    if (!found || !this.#scene || !this.#chain)
      return this.#notes.explains ? undefined : this.#tooltip.hide();
    const numbers = numbersOf(this.#chain.cells[found.cell])
      .map(([name, value]) => `${name} ${value}`)
      .join("   ");
    const place = rowAndColumn(this.#scene.trace.source, found.cell);
    this.#tooltip.explain(`${place}\n${numbers}`, found.at);
  }
}
