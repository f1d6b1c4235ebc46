/** All heads of all layers at once, each as a small map; pressing one opens it. */

/** @import {AttentionMap, Palette, Scene, Settings, Trace} from "../../core/types" */
/** @import {ViewWiring} from "../types" */
/** @import {Head} from "./heads_grid.js" */

import { heatmapOf } from "../../core/heatmap.js";
import { direction } from "../../core/text.js";
import { viewOf } from "../../core/trace.js";
import { pixels } from "../../shell/pixels.js";
import { HeadsGrid } from "./heads_grid.js";
import { meanEntropy } from "./model.js";

/** Shades of a small map: more could not be told apart, and each would be computed anew. */
const SHADES = 64;

export class View {
  #grid;
  /** @type {{scene: Scene, palette: Palette} | null} */
  #now = null;

  /** @param {ViewWiring<Settings, Trace>} wiring */
  constructor({ place, change }) {
    this.#grid = new HeadsGrid(place, {
      open: ({ layer, head }) => change({ layer, head, pool: null, view: "map" }),
      enlarged: (head) => this.#drawn(head),
    });
  }

  /** @param {Scene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    this.#now = { scene, palette };
    const maps = scene.output.maps
      .filter(({ kind }) => kind === scene.picked?.kind)
      .sort((a, b) => a.layer - b.layer || a.head - b.head);
    const { columns, rows } = scene.view;
    this.#grid.lay(maps, scene.picked, columns.length / Math.max(rows.length, 1));
    this.#grid.fill((head) => this.#drawn(head));
  }

  /** @param {Head} head */
  #drawn(head) {
    const { scene, palette } = /** @type {{scene: Scene, palette: Palette}} */ (this.#now);
    const map = /** @type {AttentionMap} */ (
      scene.output.maps.find(
        ({ kind, layer, head: number }) =>
          kind === scene.picked?.kind && layer === head.layer && number === head.head,
      )
    );
    const view = viewOf(scene.trace, scene.output, map, scene.units);
    const weights = view.weights ?? [];
    const { positions, colourOf } = heatmapOf(weights, { ...scene, palette });
    const colours = Array.from({ length: SHADES + 1 }, (_, shade) => colourOf(shade / SHADES));
    const drawing = pixels(
      { rows: view.rows.length, columns: view.columns.length },
      (row, column) => colours[Math.round(positions[row][column] * SHADES)],
      direction(view.columnText) === "rtl",
    );
    return { drawing, note: `${meanEntropy(weights).toFixed(1)} bits` };
  }
}
