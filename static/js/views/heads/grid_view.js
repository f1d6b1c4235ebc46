/** All heads of all layers over the photo, for the word that is shown; pressing one opens it. */

/** @import {AttentionMap, PageSettings, PictureScene} from "../../core/types" */
/** @import {ViewWiring} from "../types" */
/** @import {Head} from "./heads_grid.js" */

import { entropy } from "../../core/row_metrics.js";
import { sceneOfMap } from "../../core/grid_scene.js";
import { shownAspect } from "../../core/photo_map.js";
import { panel } from "../photo/overlay.js";
import { HeadsGrid } from "./heads_grid.js";
import { mapsOf } from "./model.js";

export class View {
  #grid;
  /** @type {PictureScene | null} */
  #scene = null;
  #row = 0;

  /** @param {Pick<ViewWiring<PageSettings, never>, "place" | "change">} wiring */
  constructor({ place, change }) {
    this.#grid = new HeadsGrid(place, {
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
    this.#row = row;
    this.#grid.fill((head) => this.#drawn(head));
  }

  /** @param {Head} head */
  #drawn(head) {
    const scene = /** @type {PictureScene} */ (this.#scene);
    const map = mapsOf(scene).find(
      ({ layer, head: number }) => layer === head.layer && number === head.head,
    );
    const own = sceneOfMap(scene, /** @type {AttentionMap} */ (map));
    const bits = entropy(own.weights[this.#row] ?? []).toFixed(1);
    return {
      drawing: panel(own, this.#row, shownAspect(scene.trace.picture)),
      note: `${bits} bits`,
    };
  }
}
