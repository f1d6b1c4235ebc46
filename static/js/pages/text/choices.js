/** The display options of a map: units, scale, layer, head, hypothesis. Menus with one option are hidden. */

/** @import {MapKind, Palette, Pool, Scale, Scene, Settings, Units} from "../../core/types" */
/** @import {PartWiring} from "../../shell/types" */

import { hypotheses } from "../../core/trace.js";
import { box, byId, slide } from "../../draw/dom.js";
import { check, offer, offerHypotheses, onRadio, onSlide } from "../../shell/fields.js";
import { drawScale } from "../../shell/scale_bar.js";

/** @type {Record<Pool, string>} */
const POOLS = { mean: "mean of all", max: "maximum of all", rollout: "rollout of the layers" };
/** @type {Record<MapKind, string>} */
const KINDS = {
  cross: "Cross-attention (output to input)",
  "encoder-self": "Self-attention (input to input)",
  "decoder-self": "Masked self-attention (output to output)",
  rollout: "rollout",
  drawn: "Cells drawn",
};

export class Choices {
  #kind = byId("kind", HTMLSelectElement);
  #layer = byId("layer", HTMLSelectElement);
  #head = byId("head", HTMLSelectElement);
  #mass = byId("mass", HTMLInputElement);
  #log = byId("log", HTMLInputElement);

  /** @param {PartWiring<Settings>} wiring */
  constructor({ change }) {
    onRadio("units", (value) => change({ units: /** @type {Units} */ (value) }));
    onRadio("scale", (value) => change({ scale: /** @type {Scale} */ (value) }));
    onRadio("hypotheses", (value) => change({ pick: Number(value), step: 0 }));
    this.#log.addEventListener("change", () => change({ log: this.#log.checked }));
    onSlide(this.#mass, (mass, how) => change({ mass }, how));
    this.#kind.addEventListener("change", () =>
      change({
        map: /** @type {MapKind} */ (this.#kind.value),
        layer: null,
        head: null,
        pool: null,
        step: 0,
      }),
    );
    this.#layer.addEventListener("change", () => change({ layer: Number(this.#layer.value) }));
    this.#head.addEventListener("change", () => {
      const pool =
        /** @type {Pool[]} */ (Object.keys(POOLS)).find((name) => name === this.#head.value) ??
        null;
      change(pool ? { pool } : { pool, head: Number(this.#head.value) });
    });
  }

  /** @param {Scene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    const { picked, trace, pick } = scene;
    box("subwords-name").textContent =
      scene.model.granularity === "characters" ? "characters" : "subwords";
    box("units").hidden = !scene.mergeable;
    check("units", scene.units);
    this.#log.checked = scene.log;
    const mass = Math.round(scene.mass * 100);
    slide(this.#mass, mass, `${mass} % of each word’s attention`);
    box("mass-now").textContent = `${mass}\u00a0% of each word’s attention`;
    offer(this.#kind, scene.kinds, picked?.kind, (kind) => KINDS[kind]);
    offer(this.#layer, scene.layers, picked?.layer, (layer) => String(layer + 1));
    offer(this.#head, [...scene.heads, ...scene.pools], scene.pool ?? picked?.head, (head) =>
      typeof head === "number" ? String(head + 1) : POOLS[head],
    );
    offerHypotheses(hypotheses(trace), pick);
    drawScale(scene, palette);
  }
}
