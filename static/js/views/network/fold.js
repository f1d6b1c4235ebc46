/** The picture of the network above another view, which can be folded to leave the room to the other. */

/** @import {Palette} from "../../core/types" */
/** @import {RowState} from "../types" */
/** @import {Drawn} from "./picture.js" */

import { html } from "../../draw/dom.js";
import { roomBelow } from "../../draw/scrolling.js";
import { NetworkPicture } from "./picture.js";

/** Below the picture. */
const MARGIN = 16;
/** In less room, where it stands above the parts, it is folded at first. */
const LEAST = 300;

export class NetworkFold {
  #picture;
  /** @type {[number, RowState] | null} */
  #now = null;

  #summary = html.summary("The network in this step");
  node = html.details({ class: "network-fold", open: true }, this.#summary);

  /** @param {Omit<ConstructorParameters<typeof NetworkPicture>[0], "room">} wiring */
  constructor(wiring) {
    this.#picture = new NetworkPicture({ ...wiring, room: () => this.#room });
    this.node.append(this.#picture.node);
    this.node.addEventListener("toggle", () => this.#show());
  }

  /** The height for the picture, which the style sheet may limit. */
  get #room() {
    const most = parseFloat(getComputedStyle(this.node).maxHeight);
    return (Number.isFinite(most) ? most : Infinity) - this.#summary.offsetHeight - MARGIN;
  }

  /** @param {Drawn} scene @param {Palette} palette */
  draw(scene, palette) {
    this.#picture.draw(scene, palette);
  }

  /** @param {number} row @param {RowState} state */
  at(row, state) {
    if (!this.#now && this.#summary.offsetHeight && roomBelow(this.node) < LEAST) this.node.open = false; // prettier-ignore
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
