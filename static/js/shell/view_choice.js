/** The tabs of the views, from the registry. */

/** @import {View} from "../views/registry.js" */

import { box, element } from "./dom.js";

export class ViewChoice {
  #views;
  /** By name of the view. @type {Map<string, {label: HTMLLabelElement, input: HTMLInputElement}>} */
  #tabs = new Map();

  /** @param {View[]} views @param {(name: string) => void} choose */
  constructor(views, choose) {
    this.#views = views;
    for (const { name, title } of this.#views) {
      const input = element("input", { type: "radio", name: "view", value: name });
      this.#tabs.set(name, {
        input,
        label: element("label", {}, input, element("span", {}, title)),
      });
    }
    const fieldset = box("view");
    fieldset.querySelectorAll("label").forEach((label) => label.remove());
    fieldset.append(...[...this.#tabs.values()].map(({ label }) => label));
    fieldset.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLInputElement) choose(target.value);
    });
  }

  /** Checks the current view, and hides those that the trace does not fit. @param {{viewName: string, heads?: unknown[], layers?: unknown[]}} scene */
  draw({ viewName, heads = [], layers = [] }) {
    for (const { name, fits } of this.#views) {
      const { label, input } = /** @type {{label: HTMLLabelElement, input: HTMLInputElement}} */ (
        this.#tabs.get(name)
      );
      input.checked = name === viewName;
      label.hidden = fits?.({ heads, layers }) === false;
    }
    for (const place of document.querySelectorAll("[data-view-place]")) {
      if (place instanceof HTMLElement) place.hidden = place.dataset.viewPlace !== viewName;
    }
  }
}
