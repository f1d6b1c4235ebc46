/** How the photo is looked at: view, style, opacity, smoothing, map, head. Only what can be chosen is shown. */

/** @import {PictureScene, PictureSettings, PictureViewName, Pool, Scale, Style} from "../core/types" */

import { box, byId, element, fill } from "../shell/dom.js";
import { css, paintOf } from "../core/photo_colours.js";
import { topAt } from "../views/photo/model.js";

/** @type {Record<string, string>} */
const POOLS = { mean: "mean of all", max: "largest of all" };
/** @type {Record<string, string>} */
const MAPS = { cross: "the distribution", drawn: "what was drawn" };

export class PictureChoices {
  #map = byId("map-kind", HTMLSelectElement);
  #layer = byId("layer", HTMLSelectElement);
  #head = byId("head", HTMLSelectElement);
  #opacity = byId("opacity", HTMLInputElement);
  #smoothing = byId("smoothing", HTMLInputElement);

  /** @param {(change: Partial<PictureSettings>) => void} changed */
  constructor(changed) {
    onRadio("view", (value) => changed({ view: /** @type {PictureViewName} */ (value), part: null }));
    onRadio("style", (value) => changed({ style: /** @type {Style} */ (value) }));
    onRadio("scale", (value) => changed({ scale: /** @type {Scale} */ (value) }));
    onRadio("hypotheses", (value) => changed({ pick: Number(value), step: 0 }));
    this.#opacity.addEventListener("input", () => changed({ opacity: Number(this.#opacity.value) }));
    this.#smoothing.addEventListener("input", () => changed({ smoothing: Number(this.#smoothing.value) }));
    this.#map.addEventListener("change", () => changed({ map: /** @type {any} */ (this.#map.value) }));
    this.#layer.addEventListener("change", () => changed({ layer: Number(this.#layer.value) }));
    this.#head.addEventListener("change", () => {
      const pool = /** @type {Pool | undefined} */ (Object.keys(POOLS).find((name) => name === this.#head.value));
      changed(pool ? { pool, head: null } : { pool: null, head: Number(this.#head.value) });
    });
  }

  /** @param {PictureScene} scene */
  draw(scene) {
    check("view", scene.view);
    check("style", scene.style);
    check("scale", scene.scale);
    slide(this.#opacity, scene.opacity);
    slide(this.#smoothing, scene.smoothing);
    offer(this.#map, scene.kinds, scene.picked?.kind, (kind) => MAPS[kind] ?? kind);
    offer(this.#layer, scene.layers, scene.picked?.layer, (layer) => String(layer + 1));
    offer(this.#head, [...scene.heads, ...scene.pools], scene.pool ?? scene.picked?.head, (head) => (typeof head === "number" ? String(head + 1) : POOLS[head]));
    this.#hypotheses(scene);
  }

  /** The colour bar, and what its end stands for in this row. @param {PictureScene} scene @param {number} row */
  bar(scene, row) {
    const paint = paintOf(scene.style, scene.opacity);
    const stops = Array.from({ length: 9 }, (_, step) => css(paint(step / 8)));
    box("bar").style.backgroundImage = `linear-gradient(to right, ${stops.join(", ")})`;
    box("bar-top").textContent = topAt(scene, row).toFixed(3);
  }

  /** @param {PictureScene} scene */
  #hypotheses({ trace, pick }) {
    const all = [trace, ...trace.runners_up];
    box("hypotheses").hidden = all.length < 2;
    const options = all.map(({ text, score }, index) => {
      const input = element("input", { type: "radio", name: "hypotheses", value: index });
      input.checked = index === pick;
      return element("label", { title: `${index === 0 ? "Best" : `Runner-up ${index}`}: score ${score}` }, input, element("span", {}, element("bdi", {}, text)));
    });
    box("hypotheses-list").replaceChildren(...(all.length < 2 ? [] : options));
  }
}

/** @param {HTMLInputElement} slider @param {number} value between 0 and 1 */
function slide(slider, value) {
  const percent = Math.round(value * 100);
  slider.value = String(percent);
  slider.style.setProperty("--done", `${percent}%`);
  slider.setAttribute("aria-valuetext", `${percent} %`);
}

/** @param {string} id @param {(value: string) => void} call */
function onRadio(id, call) {
  box(id).addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === "radio") call(target.value);
  });
}

/** @param {string} id @param {string} value */
function check(id, value) {
  for (const radio of box(id).querySelectorAll("input")) radio.checked = radio.value === value;
}

/**
 * @template {string | number} T
 * @param {HTMLSelectElement} select @param {T[]} values @param {T | undefined} value @param {(value: T) => string} named
 */
function offer(select, values, value, named) {
  const label = select.closest("label");
  if (label) label.hidden = values.length < 2;
  fill(select, values.map((each) => ({ value: String(each), text: named(each) })), String(value));
}
