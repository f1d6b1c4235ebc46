/** The picture within a text on the page. */

/** @import {PictureScene, Scene, Settings, Trace} from "../../core/types" */
/** @import {ViewWiring} from "../types" */

import { textPictureScene, shareNote } from "../../core/text_picture_scene.js";
import { html } from "../../draw/dom.js";
import { paintHeat } from "../../draw/photo_heat.js";
import { shownAspect } from "../../core/photo_map.js";

export class View {
  #image = html.img({ alt: "", draggable: "false" });
  #canvas = html.canvas();
  #panel = html.span({ class: "photo-panel" }, this.#image, this.#canvas);
  #caption = html.figcaption({ class: "note" });
  #figure = html.figure(this.#panel, this.#caption);
  #none = html.p({ class: "statement" }, "This map has no picture among its columns.");
  /** @type {PictureScene | null} */
  #scene = null;

  /** @param {ViewWiring<Settings, Trace>} wiring */
  constructor({ place }) {
    place.classList.add("patches");
    place.append(this.#figure, this.#none);
  }

  /** @param {Scene} scene */
  draw(scene) {
    this.#scene = textPictureScene(scene);
    this.#figure.hidden = !this.#scene;
    this.#none.hidden = Boolean(this.#scene);
    if (!this.#scene) return;
    const { picture } = this.#scene.trace;
    this.#panel.style.setProperty("--aspect", String(shownAspect(picture)));
    if (this.#image.src !== picture.preview) this.#image.src = picture.preview;
  }

  /** @param {number} row */
  at(row) {
    const scene = this.#scene;
    if (!scene) return;
    paintHeat(this.#canvas, scene, row);
    this.#caption.textContent = shareNote(scene, row);
  }
}
