/** The network of a model. */

/** @import {Palette, PictureScene, Scene} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */

import { Motion } from "../../draw/motion.js";
import { knownAfter } from "../step/part_line.js";
import { NetworkPicture } from "./picture.js";

export class View {
  #picture;
  #stepOf;
  #motion = new Motion();
  /** @type {Scene | PictureScene | null} */
  #scene = null;
  /** The row and the part on screen. */
  #at = "";

  /** @param {Pick<ViewWiring<never, never>, "place" | "select" | "model">} wiring */
  constructor({ place, select, model }) {
    this.#stepOf = /** @type {any} */ (model).stepOf;
    this.#picture = new NetworkPicture({ stepOf: this.#stepOf, select });
    place.append(this.#picture.node);
  }

  /** @param {Scene | PictureScene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    this.#scene = scene;
    this.#picture.draw(scene, palette);
  }

  /** @param {number} row @param {number} part */
  known(row, part) {
    return knownAfter(this.#stepOf(this.#scene, row), part);
  }

  /** @param {number} row @param {RowState} state */
  at(row, state) {
    this.#picture.at(row, state);
    const at = `${row} ${state.part}`;
    if (state.pace === null) this.#motion.stop();
    else if (at !== this.#at) {
      const part = this.#stepOf(this.#scene, row).parts[state.part];
      this.#motion.start(state.pace, () => this.#picture.moves(part));
    }
    this.#at = at;
  }

  forget() {
    this.#motion.stop();
    this.#at = "";
    this.#picture.forget();
  }
}
