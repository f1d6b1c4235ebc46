/** The views on the page, each loaded when it is first shown, and their tabs. */

/** @import {AxisKind, Model} from "../core/types" */
/** @import {Choice, Drawing, ViewWiring} from "../views/types" */
/** @import {View} from "../core/views.js" */
/** @import {BaseScene, BaseSettings, BaseTrace} from "./types" */

import { viewNamed } from "../core/views.js";
import { onPage } from "../views/loaders.js";
import { box, html } from "../draw/dom.js";
import { watchRoom } from "./room.js";

/**
 * @template {BaseSettings} S
 * @template {BaseTrace} T
 * @template {BaseScene<T>} C
 */
export class Views {
  #kind;
  #wiring;
  /** By name. @type {Map<string, Drawing<C, S>>} */
  #drawings = new Map();

  /** @param {AxisKind} kind @param {Omit<ViewWiring<S, T>, "place">} wiring */
  constructor(kind, wiring) {
    this.#kind = kind;
    this.#wiring = wiring;
  }

  get loaded() {
    return this.#drawings.values();
  }

  /** The drawing of a view, null until it is loaded. @param {string} name */
  get(name) {
    return this.#drawings.get(name) ?? null;
  }

  /** @param {string} name */
  async load(name) {
    const view = viewNamed(this.#kind, name);
    const { View, model, beside } = await onPage(view.name, this.#kind);
    if (!this.#drawings.has(view.name))
      this.#drawings.set(
        view.name,
        new View({ ...this.#wiring, place: placeOf(view), model, beside }),
      );
  }
}

/** The element of a view; a new one where the page has none. @param {View} view */
function placeOf({ name, place = `view-${name}` }) {
  const found = document.getElementById(place);
  if (found) return found;
  const made = html.div({ id: place, "data-view-place": name });
  (document.querySelector(".other-views, .picture") ?? box("steps")).append(made);
  return made;
}

export class ViewChoice {
  #views;
  /** By name of the view. @type {Map<string, {label: HTMLLabelElement, input: HTMLInputElement}>} */
  #tabs = new Map();
  /** Those that the trace fits. @type {View[]} */
  offered = [];

  /** @param {View[]} views @param {(name: string) => void} choose */
  constructor(views, choose) {
    this.#views = views;
    watchRoom();
    for (const { name, title, fits } of this.#views) {
      const input = html.input({ type: "radio", name: "view", value: name });
      this.#tabs.set(name, {
        input,
        // Hidden until there is a trace that fits; otherwise it would move what is beside it.
        label: html.label({ hidden: fits !== undefined }, input, html.span(title)),
      });
    }
    const fieldset = box("view");
    fieldset.querySelectorAll("label").forEach((label) => label.remove());
    fieldset.append(...[...this.#tabs.values()].map(({ label }) => label));
    fieldset.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLInputElement) choose(target.value);
    });
  }

  /**
   * Checks the current view, and hides those that the trace does not fit.
   * @param {{viewName: string, model: Model, heads?: unknown[], layers?: unknown[], picked?: Choice["picked"], trace: BaseTrace}} scene @param {Model[]} all
   */
  draw({ viewName, model, heads = [], layers = [], picked = null, trace }, all) {
    this.offered = this.#views.filter(
      ({ fits, models }) =>
        fits?.({ heads, layers, picked, trace }) !== false && models?.(all, model).length !== 0,
    );
    for (const view of this.#views) {
      const { name } = view;
      const { label, input } = /** @type {{label: HTMLLabelElement, input: HTMLInputElement}} */ (
        this.#tabs.get(name)
      );
      input.checked = name === viewName;
      label.hidden = !this.offered.includes(view);
    }
    showPlaces(viewName);
  }
}

/**
 * Shows the parts of the page that belong to a view: `data-view-place` lists the views of a part,
 * `data-view-except` those that it is hidden in.
 * @param {string} name
 */
function showPlaces(name) {
  for (const place of document.querySelectorAll("[data-view-place], [data-view-except]")) {
    const of = place.getAttribute("data-view-place")?.split(" ");
    const except = place.getAttribute("data-view-except")?.split(" ") ?? [];
    place.toggleAttribute("data-away", except.includes(name) || of?.includes(name) === false);
  }
}
