/** The cards of the compared models: maps, formulas and measures. */

/** @import {Model, Palette, Scene} from "../../core/types" */
/** @import {differenceOf} from "../../core/heatmap.js" */

import { heatmapOf } from "../../core/heatmap.js";
import { noAttention } from "../../core/sentences.js";
import { html } from "../../draw/dom.js";
import { formulaOf, measured, shortName } from "./model.js";
import { smallMap } from "./small_map.js";

/** The card of a model: its map, its formula and its measures. @param {{model: Model, failure: string | null}} entry @param {Scene | null} scene @param {Palette} palette */
export function card({ model, failure }, scene, palette) {
  const name = html.h3(shortName(model));
  if (!scene)
    return html.article(
      { class: "card", "data-model": model.id, "aria-busy": !failure && "true" },
      name,
      html.p({ class: failure ? "error" : "note" }, failure ?? "…"),
    );
  const { view, output } = scene;
  const map = view.weights
    ? smallMap(view, shortName(model), heatmapOf(view.weights, { ...scene, palette }).colourAt)
    : html.p({ class: "note blind-note" }, noAttention(output.steps[0]?.context?.size ?? 0));
  const terms = measured({ ...scene, weights: view.weights }).map(({ term, value, means }) =>
    html.div({ title: means }, html.dt(term), html.dd({ class: "number" }, value)),
  );
  return html.article(
    { class: "card", "data-model": model.id },
    name,
    map,
    html.p({ class: "formula", title: model.paper ?? null }, formulaOf(model)),
    html.dl({ class: "measures" }, terms),
  );
}

/** The legend of a difference. @param {string[]} names @param {ReturnType<typeof differenceOf>} heat */
export function legend([one, other], { most, colourOf }) {
  const bar = html.span({
    class: "bar-scale",
    role: "img",
    "aria-label": `From more attention by ${other} to more by ${one}`,
  });
  const stops = Array.from({ length: 9 }, (_, i) => colourOf(i / 4 - 1));
  bar.style.backgroundImage = `linear-gradient(to right, ${stops.join(", ")})`;
  return html.p(
    { class: "note legend-line" },
    `more from ${other}, by ${most.toFixed(2)} `,
    bar,
    ` more from ${one}`,
  );
}
