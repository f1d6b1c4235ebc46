/** One step, number by number, part by part: the same view for all kinds of models. */

/** @import {ChainScene, GlimpseScene, Palette, PatchScene, PictureScene, Scene} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */
/** @import {Chain, Content, StepModel} from "./model.js" */
/** @import {Part} from "./part_section.js" */
/** @import {NetworkFold} from "../network/fold.js" */

import { rowAndColumn } from "../../core/grid.js";
import { noSteps } from "../../core/step_sentences.js";
import { viewsOf } from "../../core/views.js";
import { html, place as fill } from "../../draw/dom.js";
import { Motion } from "../../draw/motion.js";
import { sayTermed } from "../../draw/term.js";
import { Tooltip } from "../../draw/tooltip.js";
import { cellUnder, placeOf } from "../photo/frame.js";
import { numbersOf } from "./cells.js";
import { Figures } from "./figures.js";
import { SymbolNotes, showFormula } from "./formula_line.js";
import { movesOf } from "./moves.js";
import { knownAfter, lineOf } from "./part_line.js";
import { partOf, showUntil } from "./part_section.js";
import { WhyScore } from "./why_score.js";

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
/** The parts with columns in the table of the keys. */
const IN_TABLE = ["scores", "weights", "context"];

/** The photo before anything is computed. @type {Content} */
const UNTOUCHED = {
  cells: { name: "aside", scale: { shareOf: () => 1, drawn: null, caption: "", faded: true } },
};

/** @param {StepModel<any>} step */
const hasKeys = (step) => Boolean(/** @type {Partial<Chain>} */ (step).keys?.length);
/** Figures of what is seen: the cells of a photo, the patches of a glimpse. @param {Content} content */
const isSeen = ({ cells, patches }) => cells !== undefined || patches !== undefined;

export class View {
  #box;
  #select;
  /** @type {(scene: StepScene, row: number) => StepModel<any>} */
  #stepOf;
  #tooltip = new Tooltip();
  #figures = new Figures();
  #motion = new Motion();
  #notes;
  #beside;
  /** The picture of the network, if there is one of this trace. @type {NetworkFold | null} */
  #network = null;
  /** In place of a picture of the network, the cells over the photo or the table of the keys. */
  #aside = html.div({ class: "step-aside" });
  #list = html.div({ class: "parts" });
  /** @type {{scene: StepScene, palette: Palette, settings: any} | null} */
  #shown = null;
  /** @type {StepModel<any> | null} */
  #step = null;
  /** @type {Part<string>[]} */
  #parts = [];
  /** The row and the last part on screen. @type {{row: number, last: number} | null} */
  #at = null;
  /** True if the parts have figures of what is seen. */
  #seen = false;
  /** The part that a person has opened. @type {number | null} */
  #opened = null;
  /** A score taken apart, where there is a server. @type {WhyScore | null} */
  #why;

  /** @param {Pick<ViewWiring<any, never>, "place" | "select" | "model" | "beside" | "request" | "photo">} wiring */
  constructor({ place, select, model, beside, request, photo }) {
    this.#box = place;
    this.#select = select;
    this.#why = request || photo ? new WhyScore(photo) : null;
    if (this.#why) place.after(this.#why.node);
    if (!model) throw new Error("a step needs the numbers of its kind");
    this.#stepOf = model.stepOf;
    this.#beside = beside ? new beside({ stepOf: model.stepOf, select }) : null;
    this.#notes = new SymbolNotes(place, this.#tooltip);
    place.classList.add("chain");
    place.dataset.fits = "";
    place.addEventListener("pointermove", (event) => this.#point(event));
    place.addEventListener("pointerleave", () => this.#tooltip.hide());
    place.addEventListener("click", (event) => this.#press(event));
  }

  /** @param {StepScene} scene @param {{palette: Palette, settings: any}} how */
  draw(scene, { palette, settings }) {
    const { name } = scene.kind;
    this.#network = viewsOf(name).some((view) => view.name === "network") ? this.#beside : null;
    this.#network?.draw(/** @type {Scene} */ (scene), palette);
    this.#shown = scene.parts > 1 ? { scene, palette, settings } : null;
    if (this.#shown) return;
    this.#parts = [];
    this.#box.replaceChildren(html.p({ class: "note" }, noSteps(scene)));
  }

  forget() {
    this.#network?.forget();
    this.#motion.stop();
    this.#at = null;
  }

  /** @param {number} row @param {number} part */
  known(row, part) {
    const scene = this.#shown?.scene;
    return scene ? knownAfter(this.#stepOf(scene, row), part) : { says: "", attended: false };
  }

  /** @param {number} share */
  scrub(share) {
    this.#motion.at(share);
  }

  /** @param {number} row @param {RowState} state */
  at(row, state) {
    if (!this.#shown) return;
    const { scene, settings } = this.#shown;
    const step = this.#stepOf(scene, row);
    this.#step = step;
    // Another head or step has the same parts: only their contents are laid out again.
    if (step.parts.join() !== this.#parts.map(({ name }) => name).join()) this.#frame(step);
    this.#network?.at(row, state);
    const last = Math.min(state.part, step.parts.length - 1);
    const before = this.#at;
    this.#at = { row, last };
    if (before?.last !== last) this.#opened = null;
    for (const part of this.#parts) part.say(lineOf(step, part.name));
    this.#open(last);
    if (state.settled) this.#why?.draw(scene, row, settings);
    else this.#why?.pass(row);
    const moved = before?.row !== row || before.last !== last;
    if (state.pace === null) this.#motion.stop();
    else if (moved) this.#move(step.parts[last], state.pace);
  }

  /** Opens a part, by default the last of those shown. @param {number} last */
  #open(last) {
    const [shown, step] = [this.#shown, this.#step];
    if (!shown || !step) return;
    const open = this.#opened ?? last;
    this.#fill(this.#parts[open], shown, step);
    if (this.#aside.isConnected) this.#fillAside(shown, step, last);
    const cumulative = this.#aside.isConnected && !this.#seen;
    this.#figures.until(step.parts[cumulative ? last : open], !cumulative);
    showUntil(this.#parts, last, open);
    this.#notes.explain();
  }

  /** @param {Part<string>} part @param {{scene: StepScene, palette: Palette}} shown @param {StepModel<any>} step */
  #fill({ name, title, formula, note, body }, { scene, palette }, step) {
    const text = step.textOf(name);
    const photo = step.explained || scene.kind.photo; // these pages have no glossary
    sayTermed(title, text.title, photo ? {} : TITLE_TERMS);
    sayTermed(note, text.says, photo ? {} : NOTE_TERMS);
    note.hidden = !text.says;
    showFormula(formula, text.formula);
    const where = { part: name, step, scene, palette };
    fill(
      body,
      this.#contentsOf(step, name).map((content) => this.#figures.show(content, where)),
    );
  }

  /** The figure beside the parts, as far as it is computed. @param {{scene: StepScene, palette: Palette}} shown @param {StepModel<any>} step @param {number} last */
  #fillAside(shown, step, last) {
    const where = { part: "aside", step, ...shown };
    if (!this.#seen) return fill(this.#aside, [this.#figures.table(/** @type {Chain} */ (step))]);
    const found = step.parts.slice(0, last + 1).flatMap((part) => step.contentsOf(part));
    const content = found.findLast(isSeen) ?? UNTOUCHED;
    const cells = content.cells && { ...content.cells, name: "aside" };
    fill(this.#aside, [this.#figures.show({ ...content, cells }, where)]);
  }

  /** The contents of a part, with the table of the keys in each part that has columns of it. @param {StepModel<any>} step @param {string} name @returns {Content[]} */
  #contentsOf(step, name) {
    const beside = this.#aside.isConnected;
    const apart = beside && this.#seen;
    /** @type {Content[]} */
    const contents = step.contentsOf(name);
    const own = contents.filter((content) => !content.keys && !(apart && isSeen(content)));
    const table = hasKeys(step) && (!beside || apart) && IN_TABLE.includes(name);
    return table ? [{ keys: true }, ...own] : own;
  }

  /** Moves what the part shows, and the picture of the network beside it. @param {string} part @param {number} pace */
  #move(part, pace) {
    const { body } = /** @type {Part<string>} */ (this.#parts.find(({ name }) => name === part));
    const all = [body, ...(this.#aside.isConnected ? [this.#aside] : [])];
    this.#motion.start(pace, () => [
      ...movesOf(part, all, document.querySelector('#steps [aria-current="step"]')),
      ...(this.#network?.moves(part) ?? []),
    ]);
  }

  /** Creates the empty parts, beside the picture of the network or the table of the keys. @param {StepModel<any>} step */
  #frame(step) {
    this.#figures.forget();
    this.#parts = step.parts.map((name, index) =>
      partOf(name, index, () => {
        this.#opened = index;
        this.#open(this.#at?.last ?? index);
        this.#parts[index].heading.focus({ preventScroll: true });
      }),
    );
    this.#list.replaceChildren(...this.#parts.map(({ section }) => section));
    this.#seen = step.parts.some((part) => step.contentsOf(part).some(isSeen));
    const aside = this.#network?.node ?? (hasKeys(step) || this.#seen ? this.#aside : null);
    this.#box.toggleAttribute("data-sided", aside !== null);
    this.#box.replaceChildren(...(aside ? [aside] : []), this.#list);
  }

  /** The cell of a figure under the pointer. @param {PointerEvent | MouseEvent} event */
  #cellUnder(event) {
    const { target } = event;
    const grid = target instanceof Element ? target.closest(".grid-of") : null;
    const { cells } = /** @type {Partial<Chain>} */ (this.#step ?? {});
    if (!grid || !this.#shown || !cells) return null;
    const scene = /** @type {PictureScene | PatchScene} */ (this.#shown.scene);
    const cell = cellUnder(grid, event, scene.trace);
    const numbers = cells[cell];
    return numbers ? { scene, cell, numbers, grid } : null; // none of a map that is not loaded
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
