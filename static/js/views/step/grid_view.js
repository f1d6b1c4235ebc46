/** One token of the output, number by number: scores, weights, the weighted sum of regions, the word. */

/** @import {Palette, PictureScene, PictureSettings, PictureTrace, Vector} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */
/** @import {PictureChain} from "./grid_model.js" */
/** @import {PartName} from "../../core/step_parts.js" */
/** @import {Part} from "./part_section.js" */

import { cellAt, cellRectangle, rowAndColumn } from "../../core/grid.js";
import { noSteps } from "../../core/sentences.js";
import { heading } from "../../core/text.js";
import { Bars } from "../../draw/bars.js";
import { element, place, say } from "../../draw/dom.js";
import { Tooltip } from "../../draw/tooltip.js";
import { Strip } from "../../draw/vector_strip.js";
import { NetworkFold } from "../network/fold.js";
import { pictureNetworkOf } from "../network/model.js";
import { photoOf } from "../network/photo.js";
import { Digits, GridFigures, gate, numbersOf } from "./grid_figures.js";
import { ALTERNATIVES, chainOf } from "./grid_model.js";
import { SymbolNotes, showFormula } from "./formula_line.js";
import { gridText } from "./grid_text.js";
import { partOf, showUntil } from "./part_section.js";

export class View {
  #box;
  #tooltip = new Tooltip();
  /** @type {PictureScene | null} */
  #scene = null;
  /** @type {PictureChain | null} */
  #chain = null;
  /** @type {Part<PartName>[]} */
  #parts = [];
  #row = -1;
  // These are kept from step to step, with other numbers.
  #figures = new GridFigures();
  #digits = new Digits();
  #bars = new Bars();
  #written = element("p", { class: "visually-hidden" });
  /** @type {Map<PartName, Strip>} */
  #strips = new Map();
  /** @type {NetworkFold<PictureScene>} */
  #network;
  #notes;

  /** @param {ViewWiring<PictureSettings, PictureTrace>} wiring */
  constructor({ place: box, select }) {
    this.#box = box;
    this.#network = new NetworkFold({
      networkOf: pictureNetworkOf,
      select,
      photo: ({ trace }) => photoOf(trace.picture.preview),
    });
    this.#notes = new SymbolNotes(box, this.#tooltip);
    this.#box.addEventListener("pointermove", (event) => this.#point(event));
    this.#box.addEventListener("pointerleave", () => this.#tooltip.hide());
  }

  /** @param {PictureScene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    this.#network.draw(scene, palette);
    this.#scene = scene;
    this.#row = -1;
    if (scene.parts > 1) return;
    this.#parts = [];
    this.#box.replaceChildren(element("p", { class: "note" }, noSteps(scene)));
  }

  forget() {
    this.#network.forget();
  }

  /** @param {number} row @param {RowState} state */
  at(row, state) {
    const scene = this.#scene;
    if (!scene || scene.parts < 2) return;
    if (row !== this.#row) this.#build(scene, row);
    this.#network.at(row, state);
    const { part } = state;
    showUntil(this.#parts, part);
  }

  /** @param {PictureScene} scene @param {number} row */
  #build(scene, row) {
    this.#row = row;
    const chain = chainOf(scene, row);
    this.#chain = chain;
    // Another step has the same parts: they stay, and so does the keyboard focus.
    if (chain.parts.join() !== this.#parts.map(({ name }) => name).join()) {
      this.#parts = chain.parts.map((name, index) => partOf(name, index));
      this.#box.replaceChildren(this.#network.node, ...this.#parts.map(({ section }) => section));
    }
    for (const { name, title, formula, note, body } of this.#parts) {
      const text = gridText(name, chain, scene);
      say(title, text.title);
      showFormula(formula, text.formula);
      say(note, text.says);
      place(
        body,
        this.#bodyOf(name, chain, scene, row).filter((node) => node !== null),
      );
    }
    this.#notes.explain();
  }

  /** @param {PartName} name @param {PictureChain} chain @param {PictureScene} scene @param {number} row @returns {(Node | null)[]} */
  #bodyOf(name, chain, scene, row) {
    const described = (
      /** @type {string} */ symbol,
      /** @type {string} */ meaning,
      /** @type {Vector | null} */ vector,
    ) => vector && this.#strip(name).call(symbol, meaning).show(vector);
    switch (name) {
      case "query":
        return [
          chain.fed &&
            element("p", { class: "note" }, "after ", element("b", {}, heading(chain.fed).text)),
          described("query", "the decoder’s query", chain.query),
        ];
      case "scores":
        return [this.#figures.scores(chain, scene)];
      case "weights":
        return [this.#figures.weights(chain, scene), this.#digits.show(chain, scene)];
      case "context":
        return [
          this.#figures.regions(chain, scene),
          chain.gate === null ? null : gate(chain.gate),
          described(chain.gate === null ? "c" : "β · c", "the context vector", chain.context),
        ];
      case "state":
        return [described("s", "the new state", chain.state)];
      case "word":
        say(this.#written, `Written: ${heading(scene.rows[row]).text}`);
        return [
          this.#bars.show(chain.alternatives.slice(0, ALTERNATIVES), chain.written),
          this.#written,
        ];
      default:
        return [];
    }
  }

  /** @param {PartName} name */
  #strip(name) {
    const strip = this.#strips.get(name) ?? new Strip();
    this.#strips.set(name, strip);
    return strip;
  }

  /** Shows the numbers of the cell under the pointer. @param {PointerEvent} event */
  #point(event) {
    const grid = event.target instanceof Element ? event.target.closest(".grid-of") : null;
    const [scene, chain] = [this.#scene, this.#chain];
    if (!(grid instanceof HTMLElement) || !scene || !chain)
      return this.#notes.explains ? undefined : this.#tooltip.hide();
    const frame = grid.getBoundingClientRect();
    const { source, picture } = scene.trace;
    const cell = cellAt(
      source,
      (event.clientX - frame.left) / frame.width,
      (event.clientY - frame.top) / frame.height,
      picture,
    );
    const { left, top, width, height } = cellRectangle(source, cell, picture);
    const at = new DOMRect(
      frame.left + left * frame.width,
      frame.top + top * frame.height,
      width * frame.width,
      height * frame.height,
    );
    this.#tooltip.explain(
      `${rowAndColumn(source, cell)}\n${numbersOf(chain.cells[cell])
        .map(([name, value]) => `${name} ${value}`)
        .join("   ")}`,
      at,
    );
  }
}
