/** One step, number by number, part by part: the same view for all kinds of models. */

/** @import {ChainScene, GlimpseScene, Palette, PatchScene, PictureScene, Scene} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */
/** @import {Chain, Content, StepModel} from "./model.js" */
/** @import {Part} from "./part_section.js" */
/** @import {NetworkFold} from "../network/fold.js" */

import { rowAndColumn } from "../../core/grid.js";
import { noSteps } from "../../core/sentences.js";
import { viewsOf } from "../../core/views.js";
import { html, place as fill, say } from "../../draw/dom.js";
import { Follower } from "../../draw/scrolling.js";
import { sayTermed } from "../../draw/term.js";
import { Tooltip } from "../../draw/tooltip.js";
import { cellUnder, placeOf } from "../photo/frame.js";
import { numbersOf } from "./cells.js";
import { Figures } from "./figures.js";
import { SymbolNotes, showFormula } from "./formula_line.js";
import { partOf, showUntil } from "./part_section.js";

/** @typedef {ChainScene | GlimpseScene | PictureScene | PatchScene} StepScene */

/** Words of the titles and the notes that explain themselves. */
const TITLE_TERMS = { Softmax: "softmax", query: "query" };
const NOTE_TERMS = {
  "context vector": "context-vector",
  head: "head",
  "input feeding": "input-feeding",
  key: "key",
  layer: "layer",
  value: "value",
};

export class View {
  #box;
  #select;
  /** @type {(scene: StepScene, row: number) => StepModel<any>} */
  #stepOf;
  #tooltip = new Tooltip();
  #figures = new Figures();
  #follower = new Follower();
  #notes;
  #beside;
  /** The picture of the network, if there is one of this trace. @type {NetworkFold | null} */
  #network = null;
  /** @type {{scene: StepScene, palette: Palette} | null} */
  #shown = null;
  /** @type {StepModel<any> | null} */
  #step = null;
  /** @type {Part<string>[]} */
  #parts = [];

  /** @param {Pick<ViewWiring<never, never>, "place" | "select" | "model" | "beside">} wiring */
  constructor({ place, select, model, beside }) {
    this.#box = place;
    this.#select = select;
    if (!model) throw new Error("a step needs the numbers of its kind");
    this.#stepOf = model.stepOf;
    this.#beside = beside ? new beside({ stepOf: model.stepOf, select }) : null;
    this.#notes = new SymbolNotes(place, this.#tooltip);
    place.classList.add("chain");
    place.addEventListener("pointermove", (event) => this.#point(event));
    place.addEventListener("pointerleave", () => this.#tooltip.hide());
    place.addEventListener("click", (event) => this.#press(event));
  }

  /** @param {StepScene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    const { name } = scene.kind;
    this.#network = viewsOf(name).some((view) => view.name === "network") ? this.#beside : null;
    this.#network?.draw(/** @type {Scene} */ (scene), palette);
    this.#shown = scene.parts > 1 ? { scene, palette } : null;
    if (this.#shown) return;
    this.#parts = [];
    this.#box.replaceChildren(html.p({ class: "note" }, noSteps(scene)));
  }

  forget() {
    this.#network?.forget();
  }

  /** @param {number} row @param {RowState} state */
  at(row, state) {
    if (!this.#shown) return;
    const { scene, palette } = this.#shown;
    const step = this.#stepOf(scene, row);
    const sided = !step.explained && !scene.kind.photo;
    this.#step = step;
    // Another head or step has the same parts: only their contents are laid out again.
    if (step.parts.join() !== this.#parts.map(({ name }) => name).join()) this.#frame(step, sided);
    this.#network?.at(row, state);
    for (const { name, title, formula, note, body } of this.#parts) {
      const text = step.textOf(name);
      if (sided) sayTermed(title, text.title, TITLE_TERMS);
      else say(title, text.title);
      if (sided) sayTermed(note, text.says, NOTE_TERMS);
      else say(note, text.says);
      note.hidden = !text.says;
      showFormula(formula, text.formula);
      const where = { part: name, step, scene, palette };
      fill(
        body,
        step
          .contentsOf(name)
          .map((/** @type {Content} */ content) => this.#figures.show(content, where)),
      );
    }
    this.#notes.explain();
    const last = Math.min(state.part, step.parts.length - 1);
    this.#figures.until(step.parts[last]);
    showUntil(this.#parts, state.part);
    if (sided) this.#follower.at(this.#parts[last]?.section, state.playing);
  }

  /** Creates the empty parts, in one or two columns. @param {StepModel<any>} step @param {boolean} sided */
  #frame({ parts, left }, sided) {
    this.#figures.forget();
    this.#parts = parts.map((name, index) => partOf(name, index));
    const sections = this.#parts.map(({ section }) => section);
    const sides = [sections.slice(0, left), sections.slice(left)].filter((side) => side.length);
    this.#box.replaceChildren(
      ...(this.#network ? [this.#network.node] : []),
      ...(sided ? sides.map((side) => html.div({ class: "side" }, side)) : sections),
    );
  }

  /** The cell of a figure under the pointer. @param {PointerEvent | MouseEvent} event */
  #cellUnder(event) {
    const { target } = event;
    const grid = target instanceof Element ? target.closest(".grid-of") : null;
    const { cells } = /** @type {Partial<Chain>} */ (this.#step ?? {});
    if (!grid || !this.#shown || !cells) return null;
    const scene = /** @type {PictureScene | PatchScene} */ (this.#shown.scene);
    const cell = cellUnder(grid, event, scene.trace);
    return { scene, cell, numbers: cells[cell], grid };
  }

  /** Shows the numbers of the cell under the pointer. @param {PointerEvent} event */
  #point(event) {
    const found = this.#cellUnder(event);
    if (!found) return this.#notes.explains ? undefined : this.#tooltip.hide();
    const numbers = numbersOf(found.numbers).map(([name, value]) => `${name} ${value}`);
    const { trace } = found.scene;
    this.#tooltip.explain(
      `${rowAndColumn(trace.source, found.cell)}\n${numbers.join("   ")}`,
      placeOf(found.grid, found.cell, trace),
    );
  }

  /** Goes to the patch under the pointer, which has a row of its own. @param {MouseEvent} event */
  #press(event) {
    const found = this.#cellUnder(event);
    const row = found?.scene.kind.rowOfCell?.(found.scene, found.cell);
    if (row !== undefined) this.#select(row);
  }
}
