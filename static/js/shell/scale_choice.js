/** The colour scale of a map, and of what is shaded like it. */

/** @import {MapScene, MapSettings, Palette, Scale} from "../core/types" */
/** @import {PartWiring} from "./types" */

import { byId } from "../draw/dom.js";
import { onRadio } from "./fields.js";
import { drawScale } from "./scale_bar.js";

export class ScaleChoice {
  #log = byId("log", HTMLInputElement);

  /** @param {Pick<PartWiring<MapSettings>, "change">} wiring */
  constructor({ change }) {
    onRadio("scale", (value) => change({ scale: /** @type {Scale} */ (value) }));
    this.#log.addEventListener("change", () => change({ log: this.#log.checked }));
  }

  /** @param {MapScene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    this.#log.checked = scene.log;
    drawScale(scene, palette);
  }
}
