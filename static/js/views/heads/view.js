/** All heads of all layers at once, each as a small map; pressing one opens it. */

/** @import {AttentionMap, Palette, Scene, Settings, Trace} from "../../core/types" */
/** @import {ViewWiring} from "../types" */

import { heatmapOf } from "../../core/heatmap.js";
import { entropy } from "../../core/row_metrics.js";
import { direction } from "../../core/text.js";
import { viewOf } from "../../core/trace.js";
import { element } from "../../shell/dom.js";
import { pixels } from "../../shell/pixels.js";

export class View {
  #box;

  /** @param {ViewWiring<Settings, Trace>} wiring */
  constructor({ place, change }) {
    this.#box = place;
    this.#box.addEventListener("click", (event) => {
      const chosen = /** @type {Element} */ (event.target).closest("button");
      if (chosen)
        change({
          layer: Number(chosen.dataset.layer),
          head: Number(chosen.dataset.head),
          pool: null,
          view: "map",
        });
    });
  }

  /** @param {Scene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    const { output, picked, layers } = scene;
    const maps = output.maps.filter(({ kind }) => kind === picked?.kind);
    const rows = layers.map((layer) => {
      const title = element("h3", {}, `Layer ${layer + 1}`);
      const heads = maps.filter((map) => map.layer === layer).sort((a, b) => a.head - b.head);
      return element(
        "section",
        { class: "layer" },
        title,
        element(
          "div",
          { class: "layer-heads" },
          ...heads.map((map) => button(scene, map, palette)),
        ),
      );
    });
    this.#box.replaceChildren(...rows);
  }
}

/** @param {Scene} scene @param {AttentionMap} map @param {Palette} palette */
function button(scene, map, palette) {
  const view = viewOf(scene.trace, scene.output, map, scene.units);
  const weights = view.weights ?? [];
  const bits =
    weights.reduce((total, row) => total + entropy(row), 0) / Math.max(weights.length, 1);
  const current = map.layer === scene.picked?.layer && map.head === scene.picked.head;
  const canvas = pixels(
    { rows: view.rows.length, columns: view.columns.length },
    heatmapOf(weights, { ...scene, palette }).colourAt,
    direction(view.columnText) === "rtl",
  );
  const made = element(
    "button",
    {
      type: "button",
      class: "head-map",
      "data-layer": map.layer,
      "data-head": map.head,
      "aria-current": current && "true",
    },
    element(
      "span",
      { class: "head-name" },
      `Head ${map.head + 1}`,
      element("span", { class: "note" }, ` ${bits.toFixed(1)} bits`),
    ),
    canvas,
  );
  made.style.setProperty("--aspect", `${view.columns.length} / ${view.rows.length}`);
  return made;
}
