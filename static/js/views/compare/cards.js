/** The cards of the compared models: maps, formulas and measures. */

/** @import {Model, Scene, View} from "../../core/types" */
/** @import {differenceOf} from "../../core/heatmap.js" */
/** @import {Measures} from "./model.js" */

import { noAttention } from "../../core/sentences.js";
import { html } from "../../draw/dom.js";
import { formulaOf, measured, sceneOfCard, shortName } from "./model.js";
import { smallMap } from "./small_map.js";

/** @typedef {ReturnType<typeof differenceOf>} Difference */
/** @typedef {{view: View, heat: Pick<Difference, "colourAt">}} Drawn the map of a card: its weights, or a difference */

/**
 * The card of a model: its map, its formula and its measures.
 * @param {{model: Model, failure: string | null}} entry @param {Scene | null} scene @param {Measures | null} values @param {Drawn | null} drawn @param {Partial<Measures>} most the largest measure of all models, for the bars
 */
export function card({ model, failure }, scene, values, drawn, most) {
  const name = html.h3({ title: model.name }, shortName(model));
  if (!scene || !values)
    return html.article(
      { class: "card", "data-model": model.id, "aria-busy": !failure && "true" },
      name,
      html.p({ class: failure ? "error" : "note" }, failure ?? "…"),
    );
  const { view, output } = scene;
  const map = drawn
    ? smallMap(drawn.view, shortName(model), drawn.heat.colourAt)
    : html.p({ class: "note blind-note" }, noAttention(output.steps[0]?.context?.size ?? 0));
  const terms = measured({ ...scene, weights: view.weights }, values)
    .filter(({ name }) => name !== "milliseconds")
    .map(({ name: key, term, value, means }) => {
      const line = html.div(
        { title: `${term}: ${means}`, "data-name": key },
        html.dt(term),
        html.dd({ class: "number" }, value),
      );
      line.style.setProperty("--share", String((values[key] ?? 0) / (most[key] || 1)));
      return line;
    });
  const made = html.article(
    { class: "card", "data-model": model.id },
    html.div(
      { class: "card-title" },
      name,
      html.span({ class: "formula", title: model.paper ?? null }, formulaOf(model)),
      html.span({ class: "note number cell-weight", "aria-hidden": "true" }),
    ),
    map,
    html.dl({ class: "measures" }, terms),
  );
  sceneOfCard.set(made, scene);
  return made;
}

/** The legend of a difference. @param {string[]} names @param {Difference} heat */
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
