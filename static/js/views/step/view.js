/** One step, number by number: state, scores, softmax, weighted sum, new state, next word. */

/** @import {ChainScene, Palette, Scene} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */
/** @import {Chain} from "./step_model.js" */
/** @import {Content} from "./contents.js" */
/** @import {PartName} from "../../core/step_parts.js" */
/** @import {Part} from "./part_section.js" */

import { chainOf, formula } from "./step_model.js";
import { noSteps } from "../../core/sentences.js";
import { contentsOf } from "./contents.js";
import { stepText } from "./step_text.js";
import { Bars } from "../../draw/bars.js";
import { element, place, say } from "../../draw/dom.js";
import { Follower } from "../../draw/scrolling.js";
import { SymbolNotes, showFormula } from "./formula_line.js";
import { KeyTable } from "./key_table.js";
import { partOf } from "./part_section.js";
import { Strip } from "../../draw/vector_strip.js";
import { sayTermed } from "../../draw/term.js";
import { Tooltip } from "../../draw/tooltip.js";
import { NetworkFold } from "../network/fold.js";
import { networkOf } from "../network/model.js";

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

/** True if a picture of the network stands beside its steps. @param {ChainScene} scene @returns {scene is Scene} */
const hasNetwork = (scene) => scene.kind.name === "tokens";

export class View {
  #box;
  /** @type {ChainScene | null} */
  #scene = null;
  #parts = new Map(/** @type {[PartName, Part<PartName>][]} */ ([]));
  /** Strips that are kept from step to step and from head to head, with other numbers. @type {Map<string, Strip>} */
  #strips = new Map();
  #bars = new Bars();
  #remark = element("p", { class: "note" });
  #table = new KeyTable();
  /** @type {NetworkFold<Scene>} */
  #network;
  #notes;
  #follower = new Follower();

  /** @param {Pick<ViewWiring<never, never>, "place" | "select">} wiring */
  constructor({ place, select }) {
    this.#box = place;
    this.#network = new NetworkFold({ networkOf, select });
    this.#notes = new SymbolNotes(place, new Tooltip());
  }

  /** @param {ChainScene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    if (hasNetwork(scene)) this.#network.draw(scene, palette);
    this.#scene = scene.parts > 1 ? scene : null;
    if (!this.#scene) {
      this.#parts.clear();
      return this.#box.replaceChildren(element("p", { class: "note" }, noSteps(scene)));
    }
    const chain = chainOf(scene, scene.row);
    // Another head has the same parts: only their contents are laid out again.
    if (chain.parts.join() !== [...this.#parts.keys()].join()) this.#frame(chain);
    for (const [name, { title, note }] of this.#parts) {
      const { title: over, says } = stepText(name, chain);
      sayTermed(title, over, TITLE_TERMS);
      sayTermed(note, says, NOTE_TERMS);
      note.hidden = !says;
    }
    this.#prepare(chain);
  }

  /** Lays out the table of the keys. @param {Chain} chain */
  #prepare(chain) {
    const scores = this.#parts.get("scores");
    if (scores) place(scores.body, [this.#table.prepare(chain)]);
  }

  /** Creates the empty parts. @param {Chain} chain */
  #frame({ parts, words }) {
    this.#parts.clear();
    this.#strips.clear();
    for (const [index, name] of parts.entries()) this.#parts.set(name, partOf(name, index));
    // The parts up to the scores on one side, those after them on the other.
    const half = parts.includes("scores") ? parts.indexOf("scores") + 1 : parts.length;
    const sections = [...this.#parts.values()].map(({ section }) => section);
    const sides = [sections.slice(0, half), sections.slice(half)].filter((side) => side.length);
    const columns = sides.map((side) => element("div", { class: "side" }, ...side));
    this.#box.replaceChildren(...(words ? [] : [this.#network.node]), ...columns);
  }

  forget() {
    this.#network.forget();
  }

  /** @param {number} row @param {RowState} state */
  at(row, state) {
    const scene = this.#scene;
    if (!scene) return;
    if (hasNetwork(scene)) this.#network.at(row, state);
    const { part, playing } = state;
    const chain = chainOf(scene, row);
    if (scene.kind.keysByRow) this.#prepare(chain);
    const names = chain.parts;
    for (const [index, name] of names.entries()) {
      const { section, formula: line } = /** @type {Part<PartName>} */ (this.#parts.get(name));
      section.toggleAttribute("data-later", index > part);
      section.toggleAttribute("data-now", index === part && part < names.length - 1);
      showFormula(line, formula(name, chain, scene.model));
    }
    this.#notes.explain();
    this.#table.until(names[Math.min(part, names.length - 1)]);
    this.#fill(chain);
    this.#follower.at(this.#parts.get(names[part])?.section, playing);
  }

  /** @param {Chain} chain */
  #fill(chain) {
    if (this.#parts.has("scores")) this.#table.show(chain);
    for (const [name, { body }] of this.#parts)
      if (name === "word") place(body, [this.#bars.show(chain.alternatives, chain.written)]);
      else if (name !== "scores")
        place(
          body,
          contentsOf(name, chain).map((content) => this.#shown(content)),
        );
  }

  /** @param {Content} content */
  #shown(content) {
    if ("remark" in content) {
      say(this.#remark, content.remark);
      return this.#remark;
    }
    const { role, symbol, meaning, value } = content;
    const strip = this.#strips.get(role) ?? new Strip();
    this.#strips.set(role, strip);
    return strip.call(symbol, meaning).show(value);
  }
}
