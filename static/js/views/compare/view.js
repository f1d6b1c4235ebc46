/** Models side by side on one input: their outputs, their maps and their measures, linked. */

/** @import {Model, ModelOrder, Palette, Scene, Settings, Trace} from "../../core/types" */
/** @import {Drawn} from "./cards.js" */
/** @import {Measures} from "./model.js" */
/** @import {ViewWiring} from "../types" */
/** @import {Pointed} from "./linked_words.js" */

import { ApiError } from "../../core/api.js";
import { differenceOf, heatmapOf } from "../../core/heatmap.js";
import { withoutRows } from "../../core/given_row.js";
import { sceneOf } from "../../core/scene.js";
import { visible } from "../../core/text.js";
import { requestKey } from "../../core/token_request.js";
import { box, byId, fill, html } from "../../draw/dom.js";
import { Tooltip } from "../../draw/tooltip.js";
import { card, legend } from "./cards.js";
import { figuresOf } from "./figures.js";
import { fit } from "./fit.js";
import { lengthFigure } from "./length_chart.js";
import { highlight, pointedAt } from "./linked_words.js";
import {
  chosenOf,
  countedKeys,
  difference,
  differences,
  editedNote,
  markless,
  measures,
  ordered,
  referenceOf,
  shortName,
} from "./model.js";
import { movedHeads } from "./moved.js";
import { MovedHeads } from "./moved_heads.js";
import { relatedModels } from "../../core/related_models.js";
import { smallMap } from "./small_map.js";
import { stagesOf } from "./stages.js";
import { texts } from "./texts.js";

/** @typedef {{model: Model, trace: Trace | null, failure: string | null, forced?: Trace | null}} Entry `forced`: to the output of the model that is subtracted */
/** @typedef {{scene: Scene, settings: Settings, palette: Palette}} Now */
/** @typedef {import("./svg.js").Compared} Compared */

/** Below this width, in pixels, the controls are folded at first. */
const NARROW = 720;

export class View {
  #cards = box("compare-cards");
  #stages = box("compare-stages");
  #texts = box("compare-texts");
  #lengths = box("compare-lengths");
  #chips = box("with-list");
  #sort = byId("sort", HTMLSelectElement);
  #minus = byId("minus", HTMLSelectElement);
  #heads = byId("compared-head", HTMLSelectElement);
  #figures = byId("compare-figures", HTMLDetailsElement);
  #legend = box("compare-legend");
  #everyone = byId("with-all", HTMLButtonElement);
  #difference = box("difference");
  #tooltip = new Tooltip();
  #models;
  /** Traces of the sentence on screen, by their request. @type {Map<string, Trace>} */
  #answers = new Map();
  /** @type {AbortController | null} */
  #running = null;
  /** @type {Now | null} */
  #now = null;
  #row = 0;
  /** @type {Entry[]} */
  #entries = [];
  /** @type {Compared["apart"]} */
  #apart = null;
  /** The differences to the model that is subtracted, in the places of the entries. @type {Compared["left"]} */
  #left = [];
  #answer;
  #request;
  #moved;

  /** @param {ViewWiring<Settings, Trace>} wiring */
  constructor({ models, change, answer, request }) {
    this.#models = models;
    this.#answer = answer;
    this.#request = request;
    this.#moved = new MovedHeads(change, answer, Boolean(request));
    this.#stages.addEventListener("click", ({ target }) => {
      if (target instanceof HTMLButtonElement) request?.({ text: target.value });
    });
    this.#chips.addEventListener("change", () => {
      const chosen = [...this.#chips.querySelectorAll("input")].filter((input) => input.checked);
      change({ with: chosen.map((input) => input.value) });
    });
    this.#sort.addEventListener("change", () =>
      change({ sort: /** @type {ModelOrder} */ (this.#sort.value) }),
    );
    this.#minus.addEventListener("change", () => change({ minus: this.#minus.value || null }));
    this.#heads.addEventListener("change", () => {
      const [layer, head] = this.#heads.value.split(" ").map(Number);
      change({ map: "cross", layer, head, pool: null });
    });
    this.#figures.addEventListener("toggle", () => this.#tabulate());
    // On a phone the maps come first.
    byId("compare-side", HTMLDetailsElement).open = innerWidth >= NARROW;
    new ResizeObserver(() => requestAnimationFrame(() => fit(this.#cards))).observe(
      this.#cards.parentElement ?? this.#cards,
    );
    this.#everyone.addEventListener("click", () => {
      if (this.#now)
        change({ with: relatedModels(models, this.#now.scene.model).map(({ id }) => id) });
    });
    for (const area of [this.#texts, this.#cards, this.#difference]) {
      area.addEventListener("pointerover", (event) => this.#point(event));
      area.addEventListener("pointermove", (event) => this.#point(event));
      area.addEventListener("pointerleave", () => this.#light(this.#current()));
    }
  }

  /** Drops the answers to the previous sentence. */
  forget() {
    this.#running?.abort();
    this.#moved.forget();
    this.#answers.clear();
  }

  /** @param {Scene} scene @param {{settings: Settings, palette: Palette}} how */
  async draw(scene, { settings, palette }) {
    this.#now = { scene, settings, palette };
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const others = relatedModels(this.#models, scene.model);
    const chosen = chosenOf(settings.with, others, scene.model, Boolean(settings.editing));
    this.#offer(others, chosen);
    this.#stage(scene);
    /** @type {Entry[]} */
    const entries = [scene.model, ...chosen].map((model) => ({
      model,
      trace: null,
      failure: null,
    }));
    entries[0].trace = scene.trace;
    this.#entries = entries;
    this.#apart = null;
    this.#place(entries);
    const requests = entries.slice(1).map(async (entry) => {
      try {
        entry.trace = await this.#traceOf(entry.model, null, running.signal);
      } catch (error) {
        if (running.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        entry.failure = error.message;
      }
      if (!running.signal.aborted) this.#place(entries);
    });
    await Promise.all(requests);
    if (running.signal.aborted) return;
    if (settings.minus) await this.#subtract(entries, running.signal);
    else await this.#differ(entries, running.signal);
  }

  /** The models on screen and their answers, for the exports. */
  get companions() {
    const ready =
      this.#entries.length > 0 && this.#entries.every(({ trace, failure }) => trace || failure);
    /** @type {Compared | null} */
    const drawn =
      this.#now && ready
        ? {
            entries: this.#entries,
            apart: this.#apart,
            left: this.#left,
            settings: this.#now.settings,
          }
        : null;
    return {
      models: drawn ? this.#entries.map(({ model }) => model) : [],
      answers: [...this.#answers],
      drawn,
    };
  }

  /** Highlights the word of the current step in all models. @param {number} row of the first model's map */
  at(row) {
    this.#row = row;
    this.#light(this.#current());
  }

  /** @returns {Pointed} */
  #current() {
    const rows = this.#now?.scene.view.rows ?? [];
    return { view: null, row: null, column: null, key: countedKeys(rows)[this.#row] ?? null };
  }

  /** @param {Model} model @param {string | null} target @param {AbortSignal} signal */
  async #traceOf(model, target, signal) {
    const { scene, settings } = /** @type {Now} */ (this.#now);
    // The sentence may be an example of the first model: it is sent to the others, too.
    const { edits } = settings;
    const request = {
      ...settings,
      text: scene.trace.request.text,
      target: target ?? settings.target,
      edits: model === scene.model ? edits : withoutRows(edits),
    };
    const key = requestKey(request, model);
    let trace = this.#answers.get(key) ?? (await this.#answer(request, model, signal));
    if (trace.run) {
      const { load } = await import("../../core/linked_maps.js");
      trace = await load(trace, request, model, signal); // another head may be shown than before
    }
    this.#answers.set(key, trace);
    return trace;
  }

  /** @param {Model[]} others @param {Model[]} chosen */
  #offer(others, chosen) {
    const focused =
      document.activeElement instanceof HTMLInputElement ? document.activeElement.value : null;
    const chips = others.map((model) => {
      const input = html.input({ type: "checkbox", name: "with", value: model.id });
      input.checked = chosen.includes(model);
      return html.label({ title: model.name }, input, html.span(shortName(model)));
    });
    const held = this.#chips.contains(document.activeElement);
    this.#chips.replaceChildren(...chips);
    if (held)
      for (const input of this.#chips.querySelectorAll("input"))
        if (input.value === focused) input.focus();
    box("with").hidden = others.length === 0;
    this.#everyone.disabled = chosen.length === others.length;
    this.#everyone.hidden = others.length < 3;
    const all = [/** @type {Now} */ (this.#now).scene.model, ...chosen];
    const base = shortName(all[referenceOf(all)]);
    const { trace } = /** @type {Now} */ (this.#now).scene;
    const edited = editedNote(trace.request.edits ?? [], all[0]);
    box("compare-note").textContent = others.length
      ? `Words that differ from the output of “${base}” are underlined; its words that are missing are crossed out. Point at a word to highlight it in every output. ${edited}`
      : "No other model for these languages is installed.";
  }

  /** Offers sentences on which the models differ. @param {Scene} scene */
  #stage({ model, trace }) {
    const stages = this.#request ? stagesOf(model, this.#models) : [];
    this.#stages.hidden = stages.length === 0;
    this.#stages.replaceChildren(
      html.span({ class: "legend" }, "Try"),
      ...stages.map(({ name, text }) =>
        html.button(
          {
            type: "button",
            value: text,
            title: text,
            "aria-pressed": String(trace.request.text === text),
          },
          name,
        ),
      ),
    );
  }

  /** @param {Entry[]} entries */
  #place(entries) {
    const { settings } = /** @type {Now} */ (this.#now);
    const scenes = entries.map(({ model, trace }) => trace && this.#sceneOf(trace, model));
    const models = entries.map(({ model }) => model);
    const values = scenes.map(
      (scene) => scene && measures({ ...scene, weights: scene.view.weights }),
    );
    const most = mostOf(values);
    const drawn = this.#drawn(entries, scenes);
    const held = this.#cards.contains(document.activeElement)
      ? document.activeElement?.closest(".card")?.getAttribute("data-model")
      : null;
    this.#texts.replaceChildren(...texts(entries, scenes, referenceOf(models)));
    this.#cards.replaceChildren(
      ...ordered(values, settings.sort).map((place) =>
        card(entries[place], scenes[place], values[place], drawn[place], most),
      ),
    );
    fit(this.#cards);
    for (const each of this.#cards.querySelectorAll("[data-model]"))
      if (held && each.getAttribute("data-model") === held)
        /** @type {HTMLElement | null} */ (each.querySelector(".small-box"))?.focus({
          preventScroll: true,
        });
    this.#offerOrders(entries, scenes);
    this.#tabulate();
    const words = scenes[0]?.trace.source.text.split(/\s+/).filter(Boolean).length ?? 0;
    const lengths = lengthFigure(models, models[0].id, words);
    this.#lengths.replaceChildren(...(lengths ? [lengths] : []));
    this.#light(this.#current());
    this.#cards.dataset.drawn = String(scenes.filter((scene) => scene).length);
  }

  /** @param {Trace} trace @param {Model} model */
  #sceneOf(trace, model) {
    return sceneOf(trace, { .../** @type {Now} */ (this.#now).settings, pick: 0 }, model);
  }

  /** The maps of the cards: weights, or what is left of them. @param {Entry[]} entries @param {(Scene | null)[]} scenes @returns {(Drawn | null)[]} */
  #drawn(entries, scenes) {
    const { palette } = /** @type {Now} */ (this.#now);
    const base = entries.find(
      ({ model, forced }) => forced && model.id === this.#now?.settings.minus,
    );
    const baseView = base?.forced && this.#sceneOf(base.forced, base.model).view;
    this.#left = entries.map((entry) => {
      if (!baseView || !entry.forced || entry === base) return null;
      const view = this.#sceneOf(entry.forced, entry.model).view;
      const weights = difference(view, baseView);
      return weights && { ...view, weights, scores: null };
    });
    const heats = differences(this.#left, palette);
    const any = heats.find((heat) => heat);
    this.#legend.replaceChildren(
      ...(any && base ? [legend(["each", shortName(base.model)], any)] : []),
    );
    return scenes.map((scene, place) => {
      const [view, heat] = [this.#left[place], heats[place]];
      if (view && heat) return { view, heat };
      if (!scene?.view.weights) return null;
      return { view: scene.view, heat: heatmapOf(scene.view.weights, { ...scene, palette }) };
    });
  }

  /** The trace of a model that writes the output of another; its own that was cut off stays. @param {Model} model @param {Model} other @param {Trace} written by the other @param {AbortSignal} signal */
  async #forced(model, other, written, signal) {
    const own = model === other && written.finish !== "end";
    return own ? written : this.#traceOf(model, written.text, signal);
  }

  /** Has all models with attention write the output of the one that is subtracted. @param {Entry[]} entries @param {AbortSignal} signal */
  async #subtract(entries, signal) {
    this.#difference.hidden = true;
    const base = entries.find(({ model }) => model.id === this.#now?.settings.minus);
    if (!base?.trace?.text) return;
    const { model, trace } = base;
    const read = entries.map(async (entry) => {
      if (!entry.trace || entry.model.mechanism === "none") return;
      try {
        entry.forced = await this.#forced(entry.model, model, trace, signal);
      } catch (error) {
        if (!signal.aborted && !(error instanceof ApiError)) throw error;
      }
    });
    await Promise.all(read);
    if (!signal.aborted) this.#place(entries);
  }

  /** Offers what can be subtracted, and the heads of models with several. @param {Entry[]} entries @param {(Scene | null)[]} scenes */
  #offerOrders(entries, scenes) {
    const { settings } = /** @type {Now} */ (this.#now);
    const subtracted = entries.filter(({ model }) => model.mechanism !== "none");
    this.#sort.value = settings.sort;
    fill(
      this.#minus,
      [
        { value: "", text: "weights" },
        ...subtracted.map(({ model }) => ({
          value: model.id,
          text: `minus ${shortName(model)}`,
        })),
      ],
      settings.minus ?? "",
    );
    const many = scenes.find((scene) => scene && scene.model.heads > 1);
    box("compared-head-field").hidden = !many;
    if (many)
      fill(
        this.#heads,
        many.layers.flatMap((layer) =>
          many.heads.map((head) => ({
            value: `${layer} ${head}`,
            text: `layer ${layer + 1}, head ${head + 1}`,
          })),
        ),
        `${many.picked?.layer} ${many.picked?.head}`,
      );
  }

  /** Fills the table of figures while it is open. */
  #tabulate() {
    if (!this.#figures.open || !this.#now) return;
    const scenes = this.#entries.flatMap(({ model, trace }) =>
      trace ? [this.#sceneOf(trace, model)] : [],
    );
    box("compare-figures-body").replaceChildren(...figuresOf(scenes));
  }

  /**
   * Draws the difference of two models for the same output: the second is forced to the output of
   * the first, and its weights are subtracted.
   * @param {Entry[]} entries @param {AbortSignal} signal
   */
  async #differ(entries, signal) {
    const { settings, palette, scene } = /** @type {Now} */ (this.#now);
    const [one, other] = entries;
    const possible =
      entries.length === 2 && scene.view.weights && other.trace && other.model.mechanism !== "none";
    this.#difference.hidden = !possible;
    if (!possible || !one.trace) return;
    try {
      const { text } = one.trace;
      const forced = await this.#forced(other.model, one.model, one.trace, signal);
      const same = await this.#forced(one.model, one.model, one.trace, signal);
      if (signal.aborted) return;
      const views = [
        sceneOf(same, settings, one.model).view,
        sceneOf(forced, settings, other.model).view,
      ];
      const values = difference(views[0], views[1]);
      this.#difference.hidden = !values;
      if (!values) return;
      const heat = differenceOf(values, palette, markless(views[0]));
      const names = [shortName(one.model), shortName(other.model)];
      this.#apart = { names, text, view: views[0], values };
      this.#difference.replaceChildren(
        html.h3(`Difference in attention, for the output “${visible(text)}”`),
        legend(names, heat),
        smallMap({ ...views[0], weights: values, scores: null }, "the difference", heat.colourAt),
      );
      const heads = await movedHeads(same, forced, signal);
      if (heads.length > 0 && !signal.aborted)
        this.#difference.append(this.#moved.draw([one.model, other.model], settings, heads));
    } catch (error) {
      if (!signal.aborted) this.#difference.hidden = true;
      if (!signal.aborted && !(error instanceof ApiError)) throw error;
    }
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const pointed = pointedAt(event);
    const { view, row, column } = pointed;
    if (view && row !== null && column !== null)
      this.#tooltip.show(view, row, column, new DOMRect(event.clientX, event.clientY - 6, 0, 12));
    else this.#tooltip.hide();
    this.#light(pointed);
  }

  /** Highlights a word in all models. @param {Pointed} pointed */
  #light(pointed) {
    if (pointed.column === null) this.#tooltip.hide();
    highlight(box("compare"), pointed);
  }
}

/** The largest of each measure, for the bars under the maps. @param {(Measures | null)[]} all @returns {Partial<Measures>} */
function mostOf(all) {
  const most = (/** @type {keyof Measures} */ name) =>
    Math.max(0, ...all.map((values) => values?.[name] ?? 0));
  return {
    entropy: most("entropy"),
    probability: 1,
    quality: most("quality"),
    milliseconds: most("milliseconds"),
  };
}
