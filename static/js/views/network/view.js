/** The network of a model. */

/** @import {Palette, PictureScene, Scene} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */

import { NetworkPicture } from "./picture.js";

export class View {
  #picture;

  /** @param {Pick<ViewWiring<never, never>, "place" | "select" | "model">} wiring */
  constructor({ place, select, model }) {
    this.#picture = new NetworkPicture({ stepOf: /** @type {any} */ (model).stepOf, select });
    place.append(this.#picture.node);
  }

  /** @param {Scene | PictureScene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    this.#picture.draw(scene, palette);
  }

  /** @param {number} row @param {RowState} state */
  at(row, state) {
    this.#picture.at(row, state);
  }

  forget() {
    this.#picture.forget();
  }
}
