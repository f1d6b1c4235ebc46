/** One glimpse, number by number: the place, the patches, the vector, the state, the belief. */

/** @import {GlimpseScene, GlimpseSettings, GlimpseTrace, Palette} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */
/** @import {GlimpsePart} from "../../core/step_parts.js" */
/** @import {Part} from "./part_section.js" */

import { inOrder } from "../../core/kinds/glimpses.js";
import { Bars } from "../../draw/bars.js";
import { place, say } from "../../draw/dom.js";
import { Tooltip } from "../../draw/tooltip.js";
import { Strip } from "../../draw/vector_strip.js";
import { Patches } from "../path/patches.js";
import { SymbolNotes, showFormula } from "./formula_line.js";
import { glimpseText, glimpseVector } from "./glimpse_parts.js";
import { partOf, showUntil } from "./part_section.js";
import { GLIMPSE_PARTS } from "../../core/step_parts.js";

export class View {
  #patches = new Patches();
  #bars = new Bars();
  /** @type {Part<GlimpsePart>[]} */
  #parts = GLIMPSE_PARTS.map((name, index) => partOf(name, index));
  #strips = new Map(GLIMPSE_PARTS.map((name) => [name, new Strip()]));
  #notes;
  /** @type {{scene: GlimpseScene, palette: Palette} | null} */
  #shown = null;

  /** @param {ViewWiring<GlimpseSettings, GlimpseTrace>} wiring */
  constructor({ place: box }) {
    this.#notes = new SymbolNotes(box, new Tooltip());
    box.replaceChildren(...this.#parts.map(({ section }) => section));
  }

  /** @param {GlimpseScene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    this.#shown = { scene, palette };
  }

  /** @param {number} row @param {RowState} state */
  at(row, { part }) {
    if (!this.#shown) return;
    const { scene, palette } = this.#shown;
    for (const { name, title, formula, note, body } of this.#parts) {
      const text = glimpseText(name, scene, row);
      say(title, text.title);
      showFormula(formula, text.formula);
      say(note, text.says);
      place(body, this.#bodyOf(name, scene, row, palette));
    }
    this.#notes.explain();
    showUntil(this.#parts, part);
  }

  /** @param {GlimpsePart} name @param {GlimpseScene} scene @param {number} row @param {Palette} palette @returns {Node[]} */
  #bodyOf(name, { trace }, row, palette) {
    const step = trace.steps[row];
    if (name === "sensor")
      return [this.#patches.show(step?.seen ?? [], trace.target.glimpses[row], palette)];
    if (name === "belief") return [this.#bars.show(inOrder(step), Number(trace.text))];
    const shown = glimpseVector(name, step, row);
    const strip = this.#strips.get(name);
    return shown && strip ? [strip.call(shown.symbol, shown.meaning).show(shown.value)] : [];
  }
}
