/** The picture of the network above another view; it can be folded, and is on narrow screens, except in a lesson. */

/** @import {Palette} from "../../core/types" */
/** @import {RowState} from "../types" */
/** @import {Drawn} from "./picture.js" */

import { html } from "../../draw/dom.js";
import { NetworkPicture } from "./picture.js";

/** Below this width, in pixels, it is folded at first. */
const NARROW = 720;

export class NetworkFold {
  #picture;
  /** @type {[number, RowState] | null} */
  #now = null;

  node = html.details({ class: "network-fold" }, html.summary("The network in this step"));

  /** @param {Omit<ConstructorParameters<typeof NetworkPicture>[0], "small">} wiring */
  constructor(wiring) {
    this.#picture = new NetworkPicture({ ...wiring, small: true });
    this.node.append(this.#picture.node);
    this.node.open = innerWidth >= NARROW || "lesson" in document.body.dataset;
    this.node.addEventListener("toggle", () => this.#show());
  }

  /** @param {Drawn} scene @param {Palette} palette */
  draw(scene, palette) {
    this.#picture.draw(scene, palette);
  }

  /** @param {number} row @param {RowState} state */
  at(row, state) {
    this.#now = [row, state];
    this.#show();
  }

  /** The motion of a part. @param {string} part */
  moves(part) {
    return this.node.open ? this.#picture.moves(part) : [];
  }

  forget() {
    this.#now = null;
    this.#picture.forget();
  }

  #show() {
    if (this.node.open && this.#now) this.#picture.at(...this.#now);
  }
}
