/** Models side by side on one input: their outputs, their maps and their measures, linked. */

/** @import {Model, Palette, Scene, Settings, Trace} from "../../core/types" */
/** @import {ViewWiring} from "../types" */

import { ApiError } from "../../core/api.js";
import { mapLayout } from "../../core/map_layout.js";
import {
  chosenOf,
  countedKeys,
  difference,
  differing,
  measured,
  shortName,
  spaced,
  wordKey,
} from "./model.js";
import { relatedModels } from "./related_models.js";
import { differenceOf, heatmapOf } from "../../core/heatmap.js";
import { requestKey } from "../../core/token_request.js";
import { sceneOf } from "../../core/scene.js";
import { noAttention } from "../../core/sentences.js";
import { direction, visible } from "../../core/text.js";
import { box, byId, element } from "../../shell/dom.js";
import { head, measure } from "../../shell/headings.js";
import { pixels } from "../../shell/pixels.js";
import { Tooltip } from "../../shell/tooltip.js";

const CELL = { width: 20, height: 20 };

/** @typedef {{model: Model, trace: Trace | null, failure: string | null}} Entry */
/** @typedef {{scene: Scene, settings: Settings, palette: Palette}} Now */
/** @typedef {{row: number | null, column: number | null, key: string | null}} Pointed */
/** @typedef {import("./svg.js").Compared} Compared */

export class View {
  #cards = box("compare-cards");
  #chips = box("with-list");
  #everyone = byId("with-all", HTMLButtonElement);
  #difference = box("difference");
  #tooltip = new Tooltip();
  #models;
  /** Traces of the sentence on screen, by their request. @type {Map<string, Trace>} */
  #known = new Map();
  /** @type {AbortController | null} */
  #running = null;
  /** @type {Now | null} */
  #now = null;
  #row = 0;
  /** @type {Entry[]} */
  #entries = [];
  /** @type {Compared["apart"]} */
  #apart = null;
  #answer;

  /** @param {ViewWiring<Settings, Trace>} wiring */
  constructor({ models, change, ask }) {
    this.#models = models;
    this.#answer = ask;
    this.#chips.addEventListener("change", () => {
      const chosen = [...this.#chips.querySelectorAll("input")].filter((input) => input.checked);
      change({ with: chosen.map((input) => input.value) });
    });
    this.#everyone.addEventListener("click", () => {
      if (this.#now)
        change({ with: relatedModels(models, this.#now.scene.model).map(({ id }) => id) });
    });
    for (const area of [this.#cards, this.#difference]) {
      area.addEventListener("pointerover", (event) => this.#point(event));
      area.addEventListener("pointermove", (event) => this.#point(event));
      area.addEventListener("pointerleave", () => this.#light(this.#current()));
    }
  }

  /** Drops the answers to the previous sentence. */
  forget() {
    this.#running?.abort();
    this.#known.clear();
  }

  /** @param {Scene} scene @param {{settings: Settings, palette: Palette}} how */
  async draw(scene, { settings, palette }) {
    this.#now = { scene, settings, palette };
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const others = relatedModels(this.#models, scene.model);
    const chosen = chosenOf(settings.with, others);
    this.#offer(others, chosen);
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
    const asking = entries.slice(1).map(async (entry) => {
      try {
        entry.trace = await this.#ask(entry.model, null, running.signal);
      } catch (error) {
        if (running.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        entry.failure = error.message;
      }
      if (!running.signal.aborted) this.#place(entries);
    });
    await Promise.all(asking);
    if (!running.signal.aborted) await this.#differ(entries, running.signal);
  }

  /** The models on screen and their answers, for the exports. */
  get companions() {
    const ready =
      this.#entries.length > 0 && this.#entries.every(({ trace, failure }) => trace || failure);
    /** @type {Compared | null} */
    const drawn =
      this.#now && ready
        ? { entries: this.#entries, apart: this.#apart, settings: this.#now.settings }
        : null;
    return {
      models: drawn ? this.#entries.map(({ model }) => model) : [],
      known: [...this.#known],
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
    return { row: null, column: null, key: countedKeys(rows)[this.#row] ?? null };
  }

  /** @param {Model} model @param {string | null} target @param {AbortSignal} signal */
  async #ask(model, target, signal) {
    const { scene, settings } = /** @type {Now} */ (this.#now);
    // The sentence may be an example of the first model: it is sent to the others, too.
    const asked = {
      ...settings,
      text: scene.trace.request.text,
      target: target ?? settings.target,
    };
    const key = requestKey(asked, model);
    const trace = this.#known.get(key) ?? (await this.#answer(asked, model, signal));
    this.#known.set(key, trace);
    return trace;
  }

  /** @param {Model[]} others @param {Model[]} chosen */
  #offer(others, chosen) {
    const focused =
      document.activeElement instanceof HTMLInputElement ? document.activeElement.value : null;
    const chips = others.map((model) => {
      const input = element("input", { type: "checkbox", name: "with", value: model.id });
      input.checked = chosen.includes(model);
      return element("label", { title: model.name }, input, element("span", {}, shortName(model)));
    });
    const held = this.#chips.contains(document.activeElement);
    this.#chips.replaceChildren(...chips);
    if (held)
      for (const input of this.#chips.querySelectorAll("input"))
        if (input.value === focused) input.focus();
    box("with").hidden = others.length === 0;
    this.#everyone.disabled = chosen.length === others.length;
    this.#everyone.hidden = others.length < 3;
    box("compare-note").textContent = others.length
      ? "Words that differ from the first model’s output are underlined. Point at a word to highlight it in every output."
      : "No other model for these languages is installed.";
  }

  /** @param {Entry[]} entries */
  #place(entries) {
    const { settings, palette } = /** @type {Now} */ (this.#now);
    const scenes = entries.map(
      ({ model, trace }) => trace && sceneOf(trace, { ...settings, pick: 0 }, model),
    );
    const base = scenes[0]?.view.rows.map(wordKey) ?? [];
    this.#cards.replaceChildren(
      ...entries.map((entry, index) => card(entry, scenes[index], base, palette)),
    );
    this.#light(this.#current());
    this.#cards.dataset.drawn = String(scenes.filter((scene) => scene).length);
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
      const text = one.trace.text;
      const forced = await this.#ask(other.model, text, signal);
      const same =
        one.trace.finish === "end" ? await this.#ask(one.model, text, signal) : one.trace;
      if (signal.aborted) return;
      const views = [
        sceneOf(same, settings, one.model).view,
        sceneOf(forced, settings, other.model).view,
      ];
      const values = difference(views[0], views[1]);
      this.#difference.hidden = !values;
      if (!values) return;
      const heat = differenceOf(values, palette);
      const names = [shortName(one.model), shortName(other.model)];
      this.#apart = { names, text, view: views[0], values };
      this.#difference.replaceChildren(
        element("h3", {}, `Difference in attention, both writing “${visible(text)}”`),
        legend(names, heat),
        picture({ ...views[0], weights: values, scores: null }, "the difference", heat.colourAt),
      );
    } catch (error) {
      if (!signal.aborted) this.#difference.hidden = true;
      if (!signal.aborted && !(error instanceof ApiError)) throw error;
    }
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const map = target.closest(".map-grid");
    /** @type {Pointed} */
    const pointed = { row: null, column: null, key: null };
    if (target instanceof HTMLCanvasElement && map instanceof HTMLElement) {
      const place = target.getBoundingClientRect();
      const across = map.dir === "rtl" ? place.right - event.clientX : event.clientX - place.left;
      pointed.column = Math.min(
        Math.floor((across / place.width) * target.width),
        target.width - 1,
      );
      pointed.row = Math.min(
        Math.floor(((event.clientY - place.top) / place.height) * target.height),
        target.height - 1,
      );
      pointed.key =
        map.querySelectorAll(".row-head")[pointed.row]?.getAttribute("data-key") ?? null;
      const weights = weightsOf.get(map);
      if (weights)
        this.#tooltip.show(
          weights,
          pointed.row,
          pointed.column,
          new DOMRect(event.clientX, event.clientY - 6, 0, 12),
        );
    } else {
      this.#tooltip.hide();
      pointed.key = target.closest("[data-key]")?.getAttribute("data-key") ?? null;
      const column = target.closest(".column-head")?.getAttribute("data-column");
      pointed.column = column ? Number(column) : null;
    }
    this.#light(pointed);
  }

  /** Highlights a word in all models. @param {Pointed} pointed */
  #light({ column, key }) {
    if (column === null) this.#tooltip.hide();
    for (const node of box("compare").querySelectorAll("[data-key]")) {
      node.toggleAttribute("data-lit", key !== null && node.getAttribute("data-key") === key);
    }
    for (const node of box("compare").querySelectorAll(".column-head")) {
      node.toggleAttribute(
        "data-lit",
        column !== null && node.getAttribute("data-column") === String(column),
      );
    }
    for (const map of box("compare").querySelectorAll(".map-grid")) {
      if (!(map instanceof HTMLElement)) continue;
      map.toggleAttribute("data-band", column !== null);
      if (column !== null) map.style.setProperty("--column", String(column));
      const row =
        key === null
          ? -1
          : [...map.querySelectorAll(".row-head")].findIndex(
              (node) => node.getAttribute("data-key") === key,
            );
      map.toggleAttribute("data-bar", row >= 0);
      if (row >= 0) map.style.setProperty("--row", String(row));
    }
  }
}

/** The view behind each small map, for the numbers under the pointer. @type {WeakMap<HTMLElement, import("../../core/types").View>} */
const weightsOf = new WeakMap();

/** @param {Entry} entry @param {Scene | null} scene @param {string[]} base @param {Palette} palette */
function card({ model, failure }, scene, base, palette) {
  const name = element("h3", {}, shortName(model));
  if (!scene) {
    const said = failure ?? "…";
    return element(
      "article",
      { class: "card", "data-model": model.id, "aria-busy": !failure && "true" },
      name,
      element("p", { class: failure ? "error" : "note" }, said),
    );
  }
  const { view } = scene;
  const differs = differing(view.rows.map(wordKey), base);
  const keys = countedKeys(view.rows);
  const words = spaced(view.rows).flatMap(({ row, index, space }) => [
    space ? " " : "",
    element(
      "span",
      { "data-key": keys[index], "data-differs": differs[index] },
      visible(row.text.trim()),
    ),
  ]);
  const map = view.weights
    ? picture(view, shortName(model), heatmapOf(view.weights, { ...scene, palette }).colourAt)
    : element(
        "p",
        { class: "note blind-note" },
        noAttention(scene.output.steps[0]?.context?.size ?? 0),
      );
  const terms = measured(scene).map(({ term, value, means }) =>
    element(
      "div",
      { title: means },
      element("dt", {}, term),
      element("dd", { class: "number" }, value),
    ),
  );
  return element(
    "article",
    { class: "card", "data-model": model.id },
    name,
    element("p", { class: "card-text", dir: direction(view.rowText) }, ...words),
    map,
    element("dl", { class: "measures" }, ...terms),
  );
}

/**
 * A small map: one pixel per cell, painted once, below headings of HTML.
 * @param {import("../../core/types").View} view @param {string} name @param {(row: number, column: number) => string} shade
 */
function picture(view, name, shade) {
  const rtl = direction(view.columnText) === "rtl";
  const canvas = pixels({ rows: view.rows.length, columns: view.columns.length }, shade, rtl);
  const columns = view.columns.map((item, column) => {
    const node = head(item, "column-head");
    node.dataset.column = String(column);
    return node;
  });
  const keys = countedKeys(view.rows);
  const rows = view.rows.map((item, row) => {
    const node = head(item, "row-head");
    node.dataset.key = keys[row];
    return node;
  });
  const sizes = mapLayout(view, 0, measure);
  const label = `Heatmap of ${name}: ${view.rows.length} rows (output) by ${view.columns.length} columns (input)`;
  const map = element(
    "div",
    { class: "map-grid small", dir: rtl ? "rtl" : "ltr", "data-slanted": sizes.slanted },
    element("div", { class: "corner", "aria-hidden": "true" }),
    element("div", { class: "column-heads", "aria-hidden": "true" }, ...columns),
    element("div", { class: "row-heads", "aria-hidden": "true" }, ...rows),
    element(
      "div",
      { class: "plot-frame", role: "img", "aria-label": label },
      element("div", { class: "plot", dir: "ltr" }, canvas),
      element("div", { class: "band" }),
      element("div", { class: "lit" }),
    ),
  );
  const lengths = {
    "--cell-width": `${CELL.width}px`,
    "--cell-height": `${CELL.height}px`,
    "--head-width": `${Math.min(sizes.headWidth, 92)}px`,
    "--head-height": `${sizes.headHeight}px`,
    "--rows": String(view.rows.length),
    "--columns": String(view.columns.length),
  };
  for (const [property, value] of Object.entries(lengths)) map.style.setProperty(property, value);
  weightsOf.set(map, view);
  return element(
    "div",
    { class: "small-box", tabindex: 0, role: "region", "aria-label": label },
    map,
  );
}

/** @param {string[]} names @param {ReturnType<typeof differenceOf>} heat */
function legend([one, other], { most, colourOf }) {
  const bar = element("span", {
    class: "bar-scale",
    role: "img",
    "aria-label": `From more attention by ${other} to more by ${one}`,
  });
  const stops = Array.from({ length: 9 }, (_, i) => colourOf(i / 4 - 1));
  bar.style.backgroundImage = `linear-gradient(to right, ${stops.join(", ")})`;
  return element(
    "p",
    { class: "note legend-line" },
    `more from ${other}, by ${most.toFixed(2)} `,
    bar,
    ` more from ${one}`,
  );
}
