/** The same photo, captioned by each model, side by side. */

/** @import {Model, PictureScene, PictureSettings, PictureTrace} from "../../core/types" */
/** @import {ViewWiring} from "../types" */

import { ApiError } from "../../core/api.js";
import { beside, editedNote, measured, sceneOfCard, shortName } from "./model.js";
import { withoutRows } from "../../core/given_row.js";
import { relatedModels } from "../../core/related_models.js";
import { heading } from "../../core/text.js";
import { around, box, html } from "../../draw/dom.js";
import { numberAt } from "../../draw/rows.js";
import { rowAndColumn } from "../../core/grid.js";
import { shownAspect } from "../../core/photo_map.js";
import { grid } from "../../core/kinds/grid.js";
import { cellUnder } from "../photo/frame.js";
import { panel, square } from "../photo/overlay.js";

/** @typedef {{model: Model, trace: PictureTrace | null, failure: string | null}} Entry */

export class View {
  #cards = box("compare-cards");
  #models;
  #answer;
  /** By id of the model. @type {Map<string, Entry>} */
  #entries = new Map();
  /** @type {{settings: PictureSettings, scene: PictureScene} | null} */
  #now = null;
  /** @type {{scene: PictureScene, card: HTMLElement, words: HTMLElement[], at: HTMLElement, weight: HTMLElement}[]} */
  #drawn = [];
  #row = 0;
  /** The row that is shown: the one of the page, or below the pointer. */
  #shown = 0;
  /** The edits that the other models have answered under. */
  #edits = "[]";
  #running = new AbortController();

  /** @param {ViewWiring<PictureSettings, PictureTrace>} wiring */
  constructor({ models, answer }) {
    this.#models = models;
    this.#answer = answer;
    this.#cards.addEventListener("pointerover", (event) => {
      const place = numberAt(event, "place");
      if (place !== null) this.#show(place);
    });
    this.#cards.addEventListener("held", () => this.#show(this.#shown));
    this.#cards.addEventListener("pointermove", (event) => this.#point(event));
    this.#cards.addEventListener("pointerleave", () => {
      this.#show(this.#row);
      this.#mark(null);
    });
  }

  /** The answers of the other models so far, for the exports. */
  get companions() {
    const { id } = this.#now?.scene.model ?? { id: null };
    const answered = [...this.#entries.values()].filter(
      ({ model, trace }) => trace && model.id !== id,
    );
    /** @type {[string, PictureTrace][]} */
    const answers = answered.flatMap(({ model, trace }) => (trace ? [[model.id, trace]] : []));
    const entries = [...this.#entries.values()];
    const ready = entries.length > 0 && entries.every(({ trace, failure }) => trace || failure);
    const scenes = ready ? this.#drawn.map(({ scene }) => scene) : null;
    return { models: answered.map(({ model }) => model), answers, drawn: scenes };
  }

  /** Drops the answers about the previous photo. */
  forget() {
    this.#running.abort();
    this.#running = new AbortController();
    this.#entries.clear();
    this.#now = null;
  }

  /** @param {PictureScene} scene @param {{settings: PictureSettings}} how */
  draw(scene, { settings }) {
    const edits = JSON.stringify(withoutRows(settings.edits));
    if (edits !== this.#edits) this.forget();
    this.#edits = edits;
    this.#now = { scene, settings };
    this.#entries.set(scene.model.id, { model: scene.model, trace: scene.trace, failure: null });
    const others = relatedModels(this.#models, scene.model);
    for (const model of others) if (!this.#entries.has(model.id)) this.#request(model);
    box("compare-note").textContent = others.length
      ? editedNote(scene.trace.request.edits ?? [], scene.model)
      : "No other model with this task is installed.";
    this.#place();
  }

  /** @param {Model} model */
  async #request(model) {
    const [{ signal }, now] = [this.#running, this.#now];
    if (!now) return;
    this.#entries.set(model.id, { model, trace: null, failure: null });
    try {
      const edits = withoutRows(now.settings.edits);
      const trace = await this.#answer(beside({ ...now.settings, edits }), model, signal);
      if (!signal.aborted) this.#entries.set(model.id, { model, trace, failure: null });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.#entries.set(model.id, { model, trace: null, failure: error.message });
    }
    if (!signal.aborted) this.#place();
  }

  #place() {
    const now = this.#now;
    if (!now) return;
    this.#drawn = [];
    const held = this.#cards.contains(document.activeElement)
      ? document.activeElement?.closest(".card")?.getAttribute("data-model")
      : null;
    const cards = [...this.#entries.values()].map((entry) => this.#card(entry, now.settings));
    this.#cards.replaceChildren(...cards);
    const words = cards.find((card) => held && card.dataset.model === held);
    words?.querySelector("p")?.focus({ preventScroll: true });
    this.#cards.dataset.drawn = String(this.#drawn.length);
    this.#show(this.#row);
  }

  /** @param {Entry} entry @param {PictureSettings} settings */
  #card({ model, trace, failure }, settings) {
    const title = html.h3(shortName(model));
    if (!trace)
      return html.section(
        { class: "card", "data-model": model.id, "aria-busy": String(!failure) },
        title,
        html.p({ class: failure ? "error" : "note" }, failure ?? "Waiting for the model…"),
      );
    const scene = grid.sceneOf(trace, beside(settings), model);
    const words = scene.rows.map((item, place) =>
      html.span(
        { "data-place": place, class: item.special ? "mark" : "piece" },
        heading(item).text,
      ),
    );
    const at = html.div({ class: "card-photo" });
    const weight = html.p({ class: "note number cell-weight" });
    const card = html.section(
      { class: "card", "data-model": model.id },
      title,
      html.p(
        {
          ...{ class: "card-text", dir: "auto" },
          ...(settings.editing && { tabindex: 0, "aria-label": `Words of ${shortName(model)}` }),
        },
        words.flatMap((word) => [word, " "]),
      ),
      at,
      weight,
      measures(scene),
    );
    sceneOfCard.set(card, scene);
    this.#drawn.push({ scene, card, words, at, weight });
    return card;
  }

  /** @param {number} row */
  at(row) {
    this.#row = row;
    this.#show(row);
  }

  /** Shows the word at this position in each caption that is long enough, but where another is held, that one. @param {number} row */
  #show(row) {
    this.#shown = row;
    for (const { scene, card, words, at } of this.#drawn) {
      const { held } = card.dataset;
      const own = Math.min(held ? Number(held) : row, scene.rows.length - 1);
      if (at.dataset.row !== String(own))
        at.replaceChildren(panel(scene, own, shownAspect(scene.trace.picture)));
      at.dataset.row = String(own);
      words.forEach((word, index) =>
        word.toggleAttribute("data-lit", index === own && (own === row || Boolean(held))),
      );
    }
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const photo = around(event, ".photo-panel");
    const scene = this.#now?.scene;
    if (!photo || !scene) return this.#mark(null);
    this.#mark(cellUnder(photo, event, scene.trace));
  }

  /** Marks a cell in all photos and shows its weight in each. @param {number | null} cell */
  #mark(cell) {
    for (const { scene, at, weight } of this.#drawn) {
      at.querySelectorAll(".cursor").forEach((mark) => mark.remove());
      const row = Number(at.dataset.row);
      if (cell !== null) at.querySelector("svg")?.append(...square(scene, cell, "cursor"));
      weight.textContent =
        cell === null
          ? ""
          : `${rowAndColumn(scene.trace.source, cell)}: α ${(scene.weights[row]?.[cell] ?? 0).toFixed(4)}`;
    }
  }
}

/** @param {PictureScene} scene */
const measures = (scene) =>
  html.dl(
    { class: "measures" },
    measured(scene).map(({ term, value }) => html.div(html.dt(term), html.dd(value))),
  );
