/** How the map is looked at: units, scale, layer, head, hypothesis. Only what can be chosen is shown. */

/** @import {Palette, Pool, Scale, Scene, Settings, Units, ViewName} from "../core/types" */

import { colour } from "../core/colours.js";
import { DECADES, largest } from "../core/heatmap.js";
import { hypotheses } from "../core/trace.js";
import { signed, visible } from "../core/text.js";
import { box, byId, element, fill } from "../shell/dom.js";

/** @type {Record<Pool, string>} */
const POOLS = { mean: "mean of all", max: "largest of all", rollout: "rollout of the layers" };
const KINDS = { cross: "output to input", "encoder-self": "input to itself", "decoder-self": "output to itself", drawn: "drawn" };

export class Choices {
  #kind = byId("kind", HTMLSelectElement);
  #layer = byId("layer", HTMLSelectElement);
  #head = byId("head", HTMLSelectElement);
  #mass = byId("mass", HTMLInputElement);
  #log = byId("log", HTMLInputElement);

  /** @param {(change: Partial<Settings>) => void} changed */
  constructor(changed) {
    onRadio("units", (value) => changed({ units: /** @type {Units} */ (value) }));
    onRadio("scale", (value) => changed({ scale: /** @type {Scale} */ (value) }));
    this.#log.addEventListener("change", () => changed({ log: this.#log.checked }));
    onRadio("view", (value) => changed({ view: /** @type {ViewName} */ (value), part: null }));
    this.#mass.addEventListener("input", () => changed({ mass: Number(this.#mass.value) }));
    onRadio("hypotheses", (value) => changed({ pick: Number(value), step: 0 }));
    this.#kind.addEventListener("change", () =>
      changed({ map: /** @type {any} */ (this.#kind.value), layer: null, head: null, pool: null, step: 0 }),
    );
    this.#layer.addEventListener("change", () => changed({ layer: Number(this.#layer.value) }));
    this.#head.addEventListener("change", () => {
      const pool = /** @type {Pool[]} */ (Object.keys(POOLS)).find((name) => name === this.#head.value) ?? null;
      changed(pool ? { pool } : { pool, head: Number(this.#head.value) });
    });
  }

  /** @param {Scene} scene @param {Palette} palette */
  draw(scene, palette) {
    const { picked } = scene;
    const characters = scene.model.granularity === "characters";
    box("subwords-name").textContent = characters ? "characters" : "subwords";
    box("units").hidden = !scene.mergeable;
    check("units", scene.units);
    check("scale", scene.scale);
    check("view", scene.viewName);
    this.#log.checked = scene.log;
    const mass = Math.round(scene.mass * 100);
    this.#mass.value = String(mass);
    this.#mass.style.setProperty("--done", `${((mass - 10) / 90) * 100}%`);
    this.#mass.setAttribute("aria-valuetext", `${mass} % of each row`);
    box("mass-now").textContent = `${mass}\u00a0% of each row`;
    offer(this.#kind, scene.kinds, picked?.kind, (kind) => KINDS[kind]);
    offer(this.#layer, scene.layers, picked?.layer, (layer) => String(layer + 1));
    const heads = [...scene.heads, ...scene.pools];
    offer(this.#head, heads, scene.pool ?? picked?.head, (head) => (typeof head === "number" ? String(head + 1) : POOLS[head]));
    box("heads-option").hidden = scene.heads.length * scene.layers.length < 2;
    this.#hypotheses(scene);
    this.#bar(scene, palette);
  }

  /** @param {Scene} scene @param {Palette} palette */
  #bar({ view: { weights }, scale, log }, palette) {
    box("bar-bottom").textContent = log ? `< 1/${10 ** DECADES}` : "0";
    const stops = Array.from({ length: 9 }, (_, i) => colour(palette, i / 8));
    box("bar").style.backgroundImage = `linear-gradient(to right, ${stops.join(", ")})`;
    box("bar-top").textContent = scale === "row" ? "row’s largest" : largest(weights ?? []).toFixed(2);
  }

  /** @param {Scene} scene */
  #hypotheses({ trace, pick }) {
    const all = hypotheses(trace);
    box("hypotheses").hidden = all.length < 2;
    if (all.length < 2) return box("hypotheses-list").replaceChildren();
    const options = all.map(({ text, score }, index) => {
      const input = element("input", { type: "radio", name: "hypotheses", value: index });
      input.checked = index === pick;
      const title = `${index === 0 ? "Best" : `Runner-up ${index}`}: score ${score}`;
      const number = element("span", { class: "number note" }, signed(score, 2));
      return element("label", { title }, input, element("span", {}, element("bdi", {}, visible(text) || "(nothing)"), " ", number));
    });
    box("hypotheses-list").replaceChildren(...options);
  }
}

/** @param {string} id of the fieldset; its radios carry the same name @param {(value: string) => void} call */
function onRadio(id, call) {
  box(id).addEventListener("change", (event) => {
    if (event.target instanceof HTMLInputElement) call(event.target.value);
  });
}

/** @param {string} id @param {string} value */
function check(id, value) {
  for (const input of box(id).querySelectorAll("input")) input.checked = input.value === value;
}

/**
 * @template {string | number} T
 * @param {HTMLSelectElement} select @param {T[]} values @param {T | undefined} value
 * @param {(value: T) => string} name
 */
function offer(select, values, value, name) {
  const label = /** @type {HTMLElement} */ (select.closest("label"));
  label.hidden = values.length < 2;
  fill(select, values.map((each) => ({ value: String(each), text: name(each) })), String(value));
}
