/** The display options of a photo's map: style, opacity, smoothing, map, head. Menus with one option are hidden. */

/** @import {MapKind, PictureScene, PictureSettings, Pool, Scale, Style} from "../../core/types" */
/** @import {PartWiring} from "../../shell/types" */

import { topOf } from "../../core/grid_scene.js";
import { css, paintOf } from "../../core/photo_colours.js";
import { box, byId, slide } from "../../draw/dom.js";
import { check, offer, offerHypotheses, onRadio } from "../../shell/fields.js";

/** @type {Record<string, string>} */
const POOLS = { mean: "mean of all", max: "maximum of all" };
/** @type {Partial<Record<MapKind, string>>} */
const MAPS = { cross: "attention weights", drawn: "cells drawn" };

export class PictureChoices {
  #map = byId("map-kind", HTMLSelectElement);
  #layer = byId("layer", HTMLSelectElement);
  #head = byId("head", HTMLSelectElement);
  #opacity = byId("opacity", HTMLInputElement);
  #smoothing = byId("smoothing", HTMLInputElement);

  /** @param {PartWiring<PictureSettings>} wiring */
  constructor({ change }) {
    onRadio("style", (value) => change({ style: /** @type {Style} */ (value) }));
    onRadio("scale", (value) => change({ scale: /** @type {Scale} */ (value) }));
    onRadio("hypotheses", (value) => change({ pick: Number(value), step: 0 }));
    this.#opacity.addEventListener("input", () => change({ opacity: Number(this.#opacity.value) }));
    this.#smoothing.addEventListener("input", () =>
      change({ smoothing: Number(this.#smoothing.value) }),
    );
    this.#map.addEventListener("change", () =>
      change({ map: /** @type {MapKind} */ (this.#map.value) }),
    );
    this.#layer.addEventListener("change", () => change({ layer: Number(this.#layer.value) }));
    this.#head.addEventListener("change", () => {
      const pool = /** @type {Pool | undefined} */ (
        Object.keys(POOLS).find((name) => name === this.#head.value)
      );
      change(pool ? { pool, head: null } : { pool: null, head: Number(this.#head.value) });
    });
  }

  /** @param {PictureScene} scene */
  draw(scene) {
    const { picked, trace, pick } = scene;
    check("style", scene.style);
    check("scale", scene.scale);
    for (const [slider, share] of /** @type {const} */ ([
      [this.#opacity, scene.opacity],
      [this.#smoothing, scene.smoothing],
    ])) {
      slide(slider, Math.round(share * 100), `${Math.round(share * 100)} %`);
    }
    offer(this.#map, scene.kinds, picked?.kind, (kind) => MAPS[kind] ?? kind);
    offer(this.#layer, scene.layers, picked?.layer, (layer) => String(layer + 1));
    offer(this.#head, [...scene.heads, ...scene.pools], scene.pool ?? picked?.head, (head) =>
      typeof head === "number" ? String(head + 1) : POOLS[head],
    );
    offerHypotheses([trace, ...trace.runners_up], pick);
  }

  /** Draws the colour bar, whose end depends on the row. @param {PictureScene} scene @param {number} row */
  at(scene, row) {
    const paint = paintOf(scene.style, scene.opacity);
    const stops = Array.from({ length: 9 }, (_, step) => css(paint(step / 8)));
    box("bar").style.backgroundImage = `linear-gradient(to right, ${stops.join(", ")})`;
    box("bar-top").textContent = topName(scene) ?? topOf(scene, row).toFixed(3);
  }
}

/** The end of a scale that several maps share, each with a maximum of its own. @param {PictureScene} scene */
function topName({ viewName, scale }) {
  if (viewName === "heads") return "largest of each head";
  return viewName === "sheet" && scale === "row" ? "largest of each word" : null;
}
