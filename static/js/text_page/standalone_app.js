/** The page without a server: what was taken along, in the same views. It starts a saved file. */

/** @import {Model, Settings, Trace, TranslateBody} from "../core/types" */

import { ApiError } from "../core/api.js";
import { fromQuery } from "../core/state.js";
import { box } from "../shell/dom.js";
import { Panels } from "../shell/panels.js";
import { Share } from "./share.js";
import { Stage } from "./stage.js";
import { watchTheme } from "../shell/theme.js";
import { onWidth } from "../shell/width.js";

/**
 * @typedef {object} Taken
 * @property {string} query the settings, as an address has them
 * @property {Trace} trace @property {Model[]} models that of the trace first
 * @property {[string, Trace][]} known what the models beside it answered, by what was asked
 */

class Alone {
  /** @type {Taken} */
  #taken = JSON.parse(box("taken").textContent ?? "");
  #known = new Map(this.#taken.known);
  #settings = fromQuery(this.#taken.query);
  #stage = new Stage(this.#taken.models, {
    look: (change) => this.#look(change),
    remember: (change) => this.#remember(change),
    answer: (body) => this.#answer(body),
  });
  #panels = new Panels((show) => this.#remember({ show }));
  #share = new Share(() => this.#stage.scene && { scene: this.#stage.scene, settings: this.#settings, compared: this.#stage.compared }, { served: false });

  start() {
    const redraw = () => this.#stage.redraw(this.#settings);
    watchTheme(redraw);
    addEventListener("resize", onWidth(redraw));
    this.#panels.set(this.#settings.show);
    this.#stage.show(this.#taken.trace, this.#settings, this.#taken.models[0]);
    if (this.#stage.scene) this.#share.draw(this.#stage.scene, this.#settings);
    box("stage").setAttribute("aria-busy", "false");
  }

  /** @param {Partial<Settings>} change */
  #look(change) {
    this.#remember(change);
    this.#stage.redraw(this.#settings);
  }

  /** @param {Partial<Settings>} change */
  #remember(change) {
    this.#settings = { ...this.#settings, ...change };
  }

  /** @param {TranslateBody} body */
  async #answer(body) {
    const trace = this.#known.get(JSON.stringify(body));
    if (!trace) throw new ApiError("not_here", "What this model wrote was not saved in this file.", null);
    return trace;
  }
}

new Alone().start();
