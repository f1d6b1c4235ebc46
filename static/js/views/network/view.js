/** The network of a model that reads a text. */

/** @import {Palette, Scene, Settings, Trace} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */

import { networkOf } from "./model.js";
import { NetworkPicture } from "./picture.js";

export class View {
  /** @type {NetworkPicture<Scene>} */
  #picture;

  /** @param {ViewWiring<Settings, Trace>} wiring */
  constructor({ place, select }) {
    this.#picture = new NetworkPicture({ networkOf, select });
    place.append(this.#picture.node);
  }

  /** @param {Scene} scene @param {{palette: Palette}} how */
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
