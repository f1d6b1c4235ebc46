/** One token of the output, number by number: scores, weights, the weighted sum of regions, the word. */

/** @import {Palette, PictureScene, PictureSettings, PictureTrace, Vector} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */
/** @import {PictureChain} from "./grid_model.js" */
/** @import {PartName} from "./parts.js" */

import { cellAt, cellRectangle, rowAndColumn } from "../../core/grid.js";
import { heading } from "../../core/text.js";
import { bars } from "../../shell/bars.js";
import { element } from "../../shell/dom.js";
import { Tooltip } from "../../shell/tooltip.js";
import { strip } from "../../shell/vector_strip.js";
import { NetworkFold } from "../network/fold.js";
import { pictureNetworkOf } from "../network/model.js";
import { photoOf } from "../network/photo.js";
import { digits, gate, numbersOf, regions, scoreGrid, weightGrid } from "./grid_figures.js";
import { chainOf } from "./grid_model.js";
import { SymbolNotes, showFormula } from "./formula_line.js";
import { gridText } from "./grid_text.js";

/** @typedef {{name: PartName, section: HTMLElement, title: HTMLElement, formula: HTMLElement, note: HTMLElement, body: HTMLElement}} Part */

/** Number of alternatives that are shown. */
const MOST = 5;

export class View {
  #box;
  #tooltip = new Tooltip();
  /** @type {PictureScene | null} */
  #scene = null;
  /** @type {PictureChain | null} */
  #chain = null;
  /** @type {Part[]} */
  #parts = [];
  #row = -1;
  /** @type {NetworkFold<PictureScene>} */
  #network;
  #notes;

  /** @param {ViewWiring<PictureSettings, PictureTrace>} wiring */
  constructor({ place, select }) {
    this.#box = place;
    this.#network = new NetworkFold({
      networkOf: pictureNetworkOf,
      select,
      photo: ({ trace }) => photoOf(trace.picture.preview),
    });
    this.#notes = new SymbolNotes(place, this.#tooltip);
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
    this.#box.replaceChildren(
      element(
        "p",
        { class: "note" },
        "This trace contains weights only: the numbers behind its steps were not saved with it.",
      ),
    );
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
    this.#parts.forEach(({ section }, index) => {
      section.toggleAttribute("data-later", index > part);
      section.toggleAttribute("data-now", index === part && part < this.#parts.length - 1);
    });
  }

  /** @param {PictureScene} scene @param {number} row */
  #build(scene, row) {
    this.#row = row;
    const chain = chainOf(scene, row);
    this.#chain = chain;
    // Another step has the same parts: they stay, and so does the keyboard focus.
    if (chain.parts.join() !== this.#parts.map(({ name }) => name).join()) {
      this.#parts = chain.parts.map(partOf);
      this.#box.replaceChildren(this.#network.node, ...this.#parts.map(({ section }) => section));
    }
    for (const { name, title, formula, note, body } of this.#parts) {
      const text = gridText(name, chain, scene);
      title.textContent = text.title;
      showFormula(formula, text.formula);
      note.textContent = text.says;
      body.replaceChildren(
        ...bodyOf(name, chain, scene, row).filter((node) => node instanceof Node),
      );
    }
    this.#notes.explain();
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
    const place = cellRectangle(source, cell, picture);
    const at = new DOMRect(
      frame.left + place.left * frame.width,
      frame.top + place.top * frame.height,
      place.width * frame.width,
      place.height * frame.height,
    );
    this.#tooltip.explain(
      `${rowAndColumn(source, cell)}\n${numbersOf(chain.cells[cell])
        .map(([name, value]) => `${name} ${value}`)
        .join("   ")}`,
      at,
    );
  }
}

/** An empty part. @param {PartName} name @param {number} index @returns {Part} */
function partOf(name, index) {
  const [title, formula, note, body] = [
    element("span"),
    element("p", { class: "formula" }),
    element("p", { class: "note" }),
    element("div", { class: "part-body" }),
  ];
  const ordinal = element("span", { class: "ordinal", "aria-hidden": "true" }, String(index + 1));
  const section = element(
    "section",
    { class: "part", "data-name": name },
    element("h3", {}, ordinal, title),
    formula,
    note,
    body,
  );
  return { name, section, title, formula, note, body };
}

/** @param {PartName} name @param {PictureChain} chain @param {PictureScene} scene @param {number} row @returns {(Node | null)[]} */
function bodyOf(name, chain, scene, row) {
  const described = (
    /** @type {string} */ symbol,
    /** @type {string} */ meaning,
    /** @type {Vector | null} */ vector,
  ) => vector && strip(symbol, meaning, vector);
  switch (name) {
    case "query":
      return [
        chain.fed &&
          element("p", { class: "note" }, "after ", element("b", {}, heading(chain.fed).text)),
        described("query", "the decoder’s query", chain.query),
      ];
    case "scores":
      return [scoreGrid(chain, scene)];
    case "weights":
      return [weightGrid(chain, scene), digits(chain, scene)];
    case "context":
      return [
        regions(chain, scene),
        chain.gate === null ? null : gate(chain.gate),
        described(chain.gate === null ? "c" : "β · c", "the context vector", chain.context),
      ];
    case "state":
      return [described("s", "the new state", chain.state)];
    case "word":
      return [
        bars(chain.alternatives.slice(0, MOST), chain.written),
        element("p", { class: "visually-hidden" }, `Written: ${heading(scene.rows[row]).text}`),
      ];
    default:
      return [];
  }
}
