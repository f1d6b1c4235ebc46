/** All heads of all layers over the photo, for the word that is shown; pressing one opens it. */

/** @import {AttentionMap, PageSettings, PictureScene} from "../../core/types" */
/** @import {ViewWiring} from "../types" */
/** @import {Head} from "./heads_grid.js" */

import { ApiError } from "../../core/api.js";
import { entropy } from "../../core/row_metrics.js";
import { shownAspect } from "../../core/photo_map.js";
import { html } from "../../draw/dom.js";
import { panel } from "../photo/overlay.js";
import { HeadsGrid } from "./heads_grid.js";
import { mapsOf } from "./model.js";
import { loadRow, sceneOfHead } from "./rows.js";

export class View {
  #grid;
  #refusal = html.p({ class: "error", role: "alert", hidden: true });
  /** @type {PictureScene | null} */
  #scene = null;
  #row = 0;
  #running = new AbortController();

  /** @param {Pick<ViewWiring<PageSettings, never>, "place" | "change">} wiring */
  constructor({ place, change }) {
    const maps = html.div();
    place.replaceChildren(this.#refusal, maps);
    this.#grid = new HeadsGrid(maps, {
      open: ({ layer, head }) => change({ layer, head, pool: null, view: "photo" }),
      enlarged: (head) => this.#drawn(head),
    });
  }

  /** @param {PictureScene} scene */
  draw(scene) {
    this.#scene = scene;
    const maps = mapsOf(scene);
    const aspect = shownAspect(scene.trace.picture);
    this.#grid.lay(maps, scene.pool ? null : scene.picked, { aspect, stretch: 1 });
  }

  /** @param {number} row */
  at(row) {
    this.#running.abort();
    this.#running = new AbortController();
    if (this.#scene?.trace.run) return void this.#load(row, this.#running.signal);
    this.#fill(row);
  }

  /** Draws a row of a trace that came without its maps. @param {number} row @param {AbortSignal} signal */
  async #load(row, signal) {
    try {
      await loadRow(/** @type {PictureScene} */ (this.#scene), row, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.#refusal.textContent = error.message;
      this.#refusal.hidden = false;
      return;
    }
    if (!signal.aborted) this.#fill(row);
  }

  /** @param {number} row */
  #fill(row) {
    this.#refusal.hidden = true;
    this.#row = row;
    this.#grid.fill((head) => this.#drawn(head));
  }

  /** @param {Head} head */
  #drawn(head) {
    const scene = /** @type {PictureScene} */ (this.#scene);
    const map = mapsOf(scene).find(
      ({ layer, head: number }) => layer === head.layer && number === head.head,
    );
    const own = sceneOfHead(scene, /** @type {AttentionMap} */ (map), this.#row);
    const bits = entropy(own.weights[this.#row] ?? []).toFixed(1);
    return {
      drawing: panel(own, this.#row, shownAspect(scene.trace.picture)),
      note: `${bits} bits`,
    };
  }
}
