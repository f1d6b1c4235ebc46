/** The bar of the colour scale, with its two ends. */

/** @import {MapScene, Palette} from "../core/types" */

import { DECADES, heatmapOf, largest } from "../core/heatmap.js";
import { box, say } from "../draw/dom.js";
import { check } from "./fields.js";

/** @param {MapScene} scene @param {Palette} palette */
export function drawScale({ view: { weights }, scale, log }, palette) {
  check("scale", scale);
  const { colourOf } = heatmapOf([], { scale, log, palette });
  const stops = Array.from({ length: 9 }, (_, i) => colourOf(i / 8));
  box("bar").style.backgroundImage = `linear-gradient(to right, ${stops.join(", ")})`;
  say(box("bar-bottom"), log ? `< 1/${10 ** DECADES}` : "0");
  say(box("bar-top"), scale === "row" ? "row maximum" : largest(weights ?? []).toFixed(2));
}
