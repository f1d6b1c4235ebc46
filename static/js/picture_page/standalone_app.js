/** The page of pictures without a server: what was taken along, in the same views. It starts a saved file. */

/** @import {Model, PictureSettings, PictureTrace} from "../core/types" */

import { ApiError } from "../core/api.js";
import { box } from "../shell/dom.js";
import { Panels } from "../shell/panels.js";
import { watchTheme } from "../shell/theme.js";
import { onWidth } from "../shell/width.js";
import { fromQuery } from "./state.js";
import { PictureShare } from "./share.js";
import { PictureStage } from "./stage.js";

/**
 * @typedef {object} Taken
 * @property {string} query the settings, as an address has them
 * @property {PictureTrace} trace @property {Model[]} models that of the trace first
 * @property {[string, PictureTrace][]} known what the models beside it answered, without the photo
 */

class Alone {
  /** @type {Taken} */
  #taken = JSON.parse(box("taken").textContent ?? "");
  #known = new Map(this.#taken.known);
  #settings = fromQuery(this.#taken.query);
  #stage = new PictureStage({
    look: (change) => this.#look(change),
    remember: (change) => this.#remember(change),
    answer: { others: (model) => this.#taken.models.filter(({ id }) => id !== model.id), ask: (model) => this.#answer(model) },
  });
  #panels = new Panels((show) => this.#remember({ show }));
  #share = new PictureShare(() => this.#now(), { served: false });

  start() {
    const redraw = () => this.#stage.redraw(this.#settings);
    watchTheme(redraw);
    addEventListener("resize", onWidth(redraw));
    this.#panels.set(this.#settings.show);
    this.#stage.show(this.#taken.trace, this.#settings, this.#taken.models[0]);
    const now = this.#now();
    if (now) this.#share.draw(now);
    box("stage").setAttribute("aria-busy", "false");
  }

  #now() {
    return this.#stage.scene && { scene: this.#stage.scene, settings: this.#settings, file: "", beside: [] };
  }

  /** @param {Partial<PictureSettings>} change */
  #look(change) {
    this.#remember(change);
    this.#stage.redraw(this.#settings);
  }

  /** @param {Partial<PictureSettings>} change */
  #remember(change) {
    this.#settings = { ...this.#settings, ...change };
  }

  /** @param {Model} model */
  async #answer({ id }) {
    const trace = this.#known.get(id);
    if (!trace) throw new ApiError("not_here", "What this model wrote was not saved in this file.", null);
    return { ...trace, picture: this.#taken.trace.picture };
  }
}

new Alone().start();
