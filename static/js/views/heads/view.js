/** All heads of all layers at once, each as a small map; pressing one opens it. */

/** @import {AttentionMap, Palette, Scene, Settings, Trace} from "../../core/types" */
/** @import {ViewWiring} from "../types" */
/** @import {Head} from "./heads_grid.js" */

import { heatmapOf } from "../../core/heatmap.js";
import { direction } from "../../core/text.js";
import { viewOf } from "../../core/trace.js";
import { pixels } from "../../shell/pixels.js";
import { mapGrid } from "../compare/small_map.js";
import { HeadsGrid } from "./heads_grid.js";
import { meanEntropy } from "./model.js";

/** Cells may be so much wider than high. */
const STRETCH = 1.8;
/** An enlarged map with more rows or columns has no room for their words. */
const MOST_WORDS = 16;

export class View {
  #grid;
  /** @type {{scene: Scene, palette: Palette} | null} */
  #now = null;

  /** @param {ViewWiring<Settings, Trace>} wiring */
  constructor({ place, change }) {
    this.#grid = new HeadsGrid(place, {
      open: ({ layer, head }) => change({ layer, head, pool: null, view: "map" }),
      enlarged: (head) => this.#drawn(head, true),
    });
  }

  /** @param {Scene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    this.#now = { scene, palette };
    const maps = scene.output.maps
      .filter(({ kind }) => kind === scene.picked?.kind)
      .sort((a, b) => a.layer - b.layer || a.head - b.head);
    const { columns, rows } = scene.view;
    const aspect = columns.length / Math.max(rows.length, 1);
    this.#grid.lay(maps, scene.pool ? null : scene.picked, { aspect, stretch: STRETCH });
    this.#grid.fill((head) => this.#drawn(head, false));
  }

  /** @param {Head} head @param {boolean} large */
  #drawn(head, large) {
    const { scene, palette } = /** @type {{scene: Scene, palette: Palette}} */ (this.#now);
    const map = /** @type {AttentionMap} */ (
      scene.output.maps.find(
        ({ kind, layer, head: number }) =>
          kind === scene.picked?.kind && layer === head.layer && number === head.head,
      )
    );
    const view = viewOf(scene.trace, scene.output, map, scene.units);
    const weights = view.weights ?? [];
    const { colourAt } = heatmapOf(weights, { ...scene, palette });
    const [rows, columns] = [view.rows.length, view.columns.length];
    const worded = large && Math.max(rows, columns) <= MOST_WORDS;
    const drawing = worded
      ? mapGrid(view, `head ${head.head + 1}`, colourAt)
      : pixels({ rows, columns }, colourAt, direction(view.columnText) === "rtl");
    return { drawing, note: `${meanEntropy(weights).toFixed(1)} bits` };
  }
}
