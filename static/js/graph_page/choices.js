/** The display options of a graph's maps: layer, head, scale. */

/** @import {GraphScene, GraphSettings, Palette, Pool, Scale} from "../core/types" */
/** @import {PartWiring} from "../shell/types" */

import { byId } from "../shell/dom.js";
import { offer, onRadio } from "../shell/fields.js";
import { drawScale } from "../shell/scale_bar.js";

/** @type {Record<string, string>} */
const POOLS = { mean: "mean of all", max: "maximum of all" };

export class GraphChoices {
  #layer = byId("layer", HTMLSelectElement);
  #head = byId("head", HTMLSelectElement);
  #log = byId("log", HTMLInputElement);

  /** @param {PartWiring<GraphSettings>} wiring */
  constructor({ change }) {
    onRadio("scale", (value) => change({ scale: /** @type {Scale} */ (value) }));
    this.#log.addEventListener("change", () => change({ log: this.#log.checked }));
    this.#layer.addEventListener("change", () => change({ layer: Number(this.#layer.value) }));
    this.#head.addEventListener("change", () => {
      const { value } = this.#head;
      const pool = value in POOLS ? /** @type {Pool} */ (value) : null;
      change(pool ? { pool } : { pool, head: Number(value) });
    });
  }

  /** @param {GraphScene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    this.#log.checked = scene.log;
    const { picked, pool, heads, pools, layers } = scene;
    offer(this.#layer, layers, picked?.layer, (layer) => String(layer + 1));
    offer(this.#head, [...heads, ...pools], pool ?? picked?.head, (head) =>
      typeof head === "number" ? String(head + 1) : POOLS[head],
    );
    drawScale(scene, palette);
  }
}
