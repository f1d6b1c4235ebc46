/** The network of a model that reads a picture. */

/** @import {Palette, PictureScene, PictureSettings, PictureTrace} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */

import { photoOf } from "./photo.js";
import { pictureNetworkOf } from "./model.js";
import { NetworkPicture } from "./picture.js";

export class View {
  /** @type {NetworkPicture<PictureScene>} */
  #picture;

  /** @param {ViewWiring<PictureSettings, PictureTrace>} wiring */
  constructor({ place, select }) {
    this.#picture = new NetworkPicture({
      networkOf: pictureNetworkOf,
      select,
      photo: ({ trace }) => photoOf(trace.picture.preview),
    });
    place.append(this.#picture.node);
  }

  /** @param {PictureScene} scene @param {{palette: Palette}} how */
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
