/** The same photo captioned by every model that captions, side by side: soft beside hard beside many heads. */

/** @import {Model, PictureScene, PictureSettings, PictureTrace} from "../../core/types" */

import { ApiError } from "../../core/api.js";
import { shortName } from "./model.js";
import { entropy } from "../../core/row_metrics.js";
import { heading, percent } from "../../core/text.js";
import { box, element } from "../../shell/dom.js";
import { cellAt, rowAndColumn } from "../../core/grid.js";
import { shownAspect } from "../photo/model.js";
import { sceneOf } from "../../core/grid_scene.js";
import { panel, square } from "../photo/overlay.js";

/**
 * Who is asked for the others: the models that stand beside this one, and the answer of each.
 * @typedef {object} Answer
 * @property {(model: Model) => Model[]} others
 * @property {(model: Model, signal: AbortSignal) => Promise<PictureTrace>} ask
 *
 * @typedef {{model: Model, trace: PictureTrace | null, failure: string | null}} Entry
 */

export class PictureCompare {
  #cards = box("compare-cards");
  #answer;
  /** By id of the model. @type {Map<string, Entry>} */
  #entries = new Map();
  /** @type {{settings: PictureSettings, scene: PictureScene} | null} */
  #now = null;
  /** @type {{scene: PictureScene, words: HTMLElement[], at: HTMLElement, told: HTMLElement}[]} */
  #drawn = [];
  #row = 0;
  #running = new AbortController();

  /** @param {Answer} answer */
  constructor(answer) {
    this.#answer = answer;
    this.#cards.addEventListener("pointerover", (event) => {
      const word = event.target instanceof Element ? event.target.closest("[data-place]") : null;
      if (word instanceof HTMLElement) this.at(Number(word.dataset.place), true);
    });
    this.#cards.addEventListener("pointermove", (event) => this.#point(event));
    this.#cards.addEventListener("pointerleave", () => {
      this.at(this.#row);
      this.#tell(null);
    });
  }

  /** What the others have answered so far. */
  get beside() {
    const { id } = this.#now?.scene.model ?? { id: null };
    return [...this.#entries.values()].flatMap(({ model, trace }) => (trace && model.id !== id ? [{ model, trace }] : []));
  }

  /** Another photo, another question. */
  forget() {
    this.#running.abort();
    this.#running = new AbortController();
    this.#entries.clear();
    this.#now = null;
  }

  /** @param {PictureScene} scene @param {PictureSettings} settings */
  draw(scene, settings) {
    this.#now = { scene, settings };
    this.#entries.set(scene.model.id, { model: scene.model, trace: scene.trace, failure: null });
    const others = this.#answer.others(scene.model);
    for (const model of others) if (!this.#entries.has(model.id)) this.#ask(model);
    box("compare-note").textContent = others.length ? "" : "There is no other model here that does the same.";
    this.#lay();
  }

  /** @param {Model} model */
  async #ask(model) {
    const { signal } = this.#running;
    this.#entries.set(model.id, { model, trace: null, failure: null });
    try {
      const trace = await this.#answer.ask(model, signal);
      if (!signal.aborted) this.#entries.set(model.id, { model, trace, failure: null });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.#entries.set(model.id, { model, trace: null, failure: error.message });
    }
    if (!signal.aborted) this.#lay();
  }

  #lay() {
    const now = this.#now;
    if (!now) return;
    this.#drawn = [];
    const cards = [...this.#entries.values()].map((entry) => this.#card(entry, now.settings));
    this.#cards.replaceChildren(...cards);
    this.#cards.dataset.drawn = String(this.#drawn.length);
    this.at(this.#row);
  }

  /** @param {Entry} entry @param {PictureSettings} settings */
  #card({ model, trace, failure }, settings) {
    const title = element("h3", {}, shortName(model));
    if (!trace) return element("section", { class: "card", "aria-busy": String(!failure) }, title, element("p", { class: failure ? "error" : "note" }, failure ?? "Looking…"));
    // Layers and heads of one model are not those of another.
    const scene = sceneOf(trace, { ...settings, pick: 0, map: null, layer: null, head: null, pool: null, view: "compare" }, model);
    const words = scene.rows.map((item, place) => element("span", { "data-place": place, class: item.special ? "mark" : "piece" }, heading(item).text));
    const at = element("div", { class: "card-photo" });
    const told = element("p", { class: "note number told" });
    this.#drawn.push({ scene, words, at, told });
    return element("section", { class: "card" }, title, element("p", { class: "card-text", dir: "auto" }, ...words.flatMap((word) => [word, " "])), at, told, measures(scene));
  }

  /** Everything at the word of this place, as far as each has written so many. @param {number} row @param {boolean} [peeking] */
  at(row, peeking = false) {
    if (!peeking) this.#row = row;
    for (const { scene, words, at } of this.#drawn) {
      const own = Math.min(row, scene.rows.length - 1);
      if (at.dataset.row !== String(own)) at.replaceChildren(panel(scene, own, shownAspect(scene.trace.picture)));
      at.dataset.row = String(own);
      words.forEach((word, index) => word.toggleAttribute("data-lit", index === own && own === row));
    }
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const photo = event.target instanceof Element ? event.target.closest(".photo-panel") : null;
    const scene = this.#now?.scene;
    if (!photo || !scene) return this.#tell(null);
    const frame = photo.getBoundingClientRect();
    const { source, picture } = scene.trace;
    this.#tell(cellAt(source, (event.clientX - frame.left) / frame.width, (event.clientY - frame.top) / frame.height, picture));
  }

  /** The same place in all of them, and what each gave to it. @param {number | null} cell */
  #tell(cell) {
    for (const { scene, at, told } of this.#drawn) {
      at.querySelectorAll(".cursor").forEach((mark) => mark.remove());
      const row = Number(at.dataset.row);
      if (cell !== null) at.querySelector("svg")?.append(...square(scene, cell, "cursor"));
      told.textContent = cell === null ? "" : `${rowAndColumn(scene.trace.source, cell)}: α ${(scene.weights[row]?.[cell] ?? 0).toFixed(4)}`;
    }
  }
}

/** @param {PictureScene} scene */
function measures({ weights, output, trace }) {
  const bits = weights.reduce((total, row) => total + entropy(row), 0) / Math.max(weights.length, 1);
  const sure = output.steps.length ? percent(Math.exp(output.log_probability / output.steps.length)) : "–";
  const told = [["entropy", `${bits.toFixed(2)} bits`], ["probability", sure], ["time", `${(trace.timing.encode_ms + trace.timing.decode_ms).toFixed(0)} ms`]];
  return element("dl", { class: "measures" }, ...told.map(([term, value]) => element("div", {}, element("dt", {}, term), element("dd", {}, value))));
}
