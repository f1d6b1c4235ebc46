/** The bar of the colour scale, with its two ends. */

/** @import {MapScene, Palette} from "../core/types" */

import { DECADES, heatmapOf, largest } from "../core/heatmap.js";
import { box } from "../draw/dom.js";
import { check } from "./fields.js";

/** @param {MapScene} scene @param {Palette} palette */
export function drawScale({ view: { weights }, scale, log }, palette) {
  check("scale", scale);
  const { colourOf } = heatmapOf([], { scale, log, palette });
  const stops = Array.from({ length: 9 }, (_, i) => colourOf(i / 8));
  box("bar").style.backgroundImage = `linear-gradient(to right, ${stops.join(", ")})`;
  box("bar-bottom").textContent = log ? `< 1/${10 ** DECADES}` : "0";
  box("bar-top").textContent = scale === "row" ? "row maximum" : largest(weights ?? []).toFixed(2);
}
