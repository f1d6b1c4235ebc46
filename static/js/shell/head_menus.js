/** The menus of layers and heads. One with a single option is hidden. */

/** @import {MapChoices, Pool} from "../core/types" */

import { byId } from "../draw/dom.js";
import { offer } from "./fields.js";

/** @type {Record<Pool, string>} */
const POOLS = { mean: "mean of all", max: "maximum of all", rollout: "rollout" };

/** @typedef {{layer?: number, head?: number | null, pool?: Pool | null}} Change */

export class HeadMenus {
  #layer = byId("layer", HTMLSelectElement);
  #head = byId("head", HTMLSelectElement);
  #names;

  /** @param {{change: (change: Change) => void}} wiring @param {Partial<Record<Pool, string>>} [names] of heads that are merged */
  constructor({ change }, names = {}) {
    this.#names = { ...POOLS, ...names };
    this.#layer.addEventListener("change", () => change({ layer: Number(this.#layer.value) }));
    this.#head.addEventListener("change", () => {
      const { value } = this.#head;
      const pool = /** @type {Pool[]} */ (Object.keys(POOLS)).find((name) => name === value);
      change(pool ? { pool, head: null } : { pool: null, head: Number(value) });
    });
  }

  /** @param {MapChoices} scene */
  draw({ picked, pool, heads, pools, layers }) {
    const upTo = pool === "rollout" ? "up to " : "";
    offer(this.#layer, layers, picked?.layer, (layer) => `${upTo}${layer + 1}`);
    offer(this.#head, [...heads, ...pools], pool ?? picked?.head, (head) =>
      typeof head === "number" ? String(head + 1) : this.#names[head],
    );
  }
}
