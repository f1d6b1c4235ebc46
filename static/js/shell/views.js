/** The views on the page, each loaded when it is first shown. */

/** @import {AxisKind} from "../core/types" */
/** @import {Drawing, DrawingModule, ViewWiring} from "../views/types" */
/** @import {View} from "../views/registry.js" */
/** @import {BaseScene, BaseSettings, BaseTrace} from "./types" */

import { viewNamed } from "../views/registry.js";
import { box, element } from "./dom.js";

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
    const load = /** @type {() => Promise<DrawingModule<C, S>>} */ (
      /** @type {unknown} */ (view.dom[this.#kind])
    );
    const { View } = await load();
    if (!this.#drawings.has(view.name))
      this.#drawings.set(view.name, new View({ ...this.#wiring, place: placeOf(view) }));
  }
}

/** The element of a view; a new one where the page has none. @param {View} view */
function placeOf({ name, place = `view-${name}` }) {
  const found = document.getElementById(place);
  if (found) return found;
  const made = element("div", { id: place, "data-view-place": name });
  (document.querySelector(".other-views, .picture") ?? box("steps")).append(made);
  return made;
}
