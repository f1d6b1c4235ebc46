/** The form of the page of patches: a photo, and the model. */

/** @import {Model, PatchSettings} from "../../core/types" */

import { Gallery } from "../../shell/gallery.js";
import { box } from "../../draw/dom.js";
import { ModelMenu, Remarks } from "../../shell/fields.js";
import { Fold } from "../../shell/fold.js";

export class SeeForm extends Remarks {
  #gallery;
  #menu;
  #send;

  /** @param {Model[]} models @param {(change: Partial<PatchSettings>) => void} send */
  constructor(models, send) {
    super({ image: null }, new Fold(null));
    this.#menu = new ModelMenu(models, () => this.submit());
    this.#send = send;
    this.#gallery = new Gallery((sample) => this.submit({ sample }));
  }

  get model() {
    return this.#menu.model;
  }

  /** @param {Partial<PatchSettings>} [change] */
  submit(change = {}) {
    this.#send({ model: this.model.id, ...change });
  }

  /** Shows the request of the page. @param {PatchSettings} settings */
  set(settings) {
    this.#menu.show(settings.model);
    this.#gallery.mark(settings.sample);
    this.fold.name(this.model.name);
    box("facts").textContent = this.model.summary;
  }

  /** Shows the user's own photo beside the samples. @param {string} copy its address */
  offerOwn(copy) {
    this.#gallery.offerOwn(copy);
  }
}
