/** The display options of the page of patches: style, opacity, smoothing, layer and head. */

/** @import {PatchScene, PatchSettings, Pool, Scale, Style} from "../../core/types" */
/** @import {PartWiring} from "../../shell/types" */

import { topOf } from "../../core/grid_scene.js";
import { css, paintOf } from "../../core/photo_colours.js";
import { box, byId, slide } from "../../draw/dom.js";
import { check, offer, onRadio } from "../../shell/fields.js";

/** @type {Record<string, string>} */
const POOLS = { mean: "mean of all", max: "maximum of all", rollout: "rollout" };

export class PatchChoices {
  #layer = byId("layer", HTMLSelectElement);
  #head = byId("head", HTMLSelectElement);
  #opacity = byId("opacity", HTMLInputElement);
  #smoothing = byId("smoothing", HTMLInputElement);

  /** @param {PartWiring<PatchSettings>} wiring */
  constructor({ change }) {
    onRadio("style", (value) => change({ style: /** @type {Style} */ (value) }));
    onRadio("scale", (value) => change({ scale: /** @type {Scale} */ (value) }));
    this.#opacity.addEventListener("input", () => change({ opacity: Number(this.#opacity.value) }));
    this.#smoothing.addEventListener("input", () =>
      change({ smoothing: Number(this.#smoothing.value) }),
    );
    this.#layer.addEventListener("change", () => change({ layer: Number(this.#layer.value) }));
    this.#head.addEventListener("change", () => {
      const pool = /** @type {Pool | undefined} */ (
        Object.keys(POOLS).find((name) => name === this.#head.value)
      );
      change(pool ? { pool, head: null } : { pool: null, head: Number(this.#head.value) });
    });
  }

  /** @param {PatchScene} scene */
  draw(scene) {
    const { picked, pool } = scene;
    check("style", scene.style);
    check("scale", scene.scale);
    for (const [slider, share] of /** @type {const} */ ([
      [this.#opacity, scene.opacity],
      [this.#smoothing, scene.smoothing],
    ]))
      slide(slider, Math.round(share * 100), `${Math.round(share * 100)} %`);
    offer(
      this.#layer,
      scene.layers,
      picked?.layer,
      (layer) => `${pool === "rollout" ? "up to " : ""}${layer + 1}`,
    );
    offer(this.#head, [...scene.heads, ...scene.pools], pool ?? picked?.head, (head) =>
      typeof head === "number" ? String(head + 1) : POOLS[head],
    );
  }

  /** Draws the colour bar, whose end depends on the row. @param {PatchScene} scene @param {number} row */
  at(scene, row) {
    const paint = paintOf(scene.style, scene.opacity);
    const stops = Array.from({ length: 9 }, (_, step) => css(paint(step / 8)));
    box("bar").style.backgroundImage = `linear-gradient(to right, ${stops.join(", ")})`;
    box("bar-top").textContent =
      scene.viewName === "heads" ? "largest of each head" : topOf(scene, row).toFixed(3);
  }
}
