/** The colour scale of the story and of its map. */

/** @import {Palette, Scale, StoryScene, StorySettings} from "../core/types" */
/** @import {PartWiring} from "../shell/types" */

import { onRadio } from "../shell/fields.js";
import { byId } from "../shell/dom.js";
import { drawScale } from "../shell/scale_bar.js";

export class ScaleChoice {
  #log = byId("log", HTMLInputElement);

  /** @param {PartWiring<StorySettings>} wiring */
  constructor({ change }) {
    onRadio("scale", (value) => change({ scale: /** @type {Scale} */ (value) }));
    this.#log.addEventListener("change", () => change({ log: this.#log.checked }));
  }

  /** @param {StoryScene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    this.#log.checked = scene.log;
    drawScale(scene, palette);
  }
}
