/** The form of the page of patches: a photo, and the model. */

/** @import {Model, PatchSettings} from "../../core/types" */

import { Gallery } from "../../shell/gallery.js";
import { box } from "../../draw/dom.js";
import { ModelMenu, Remarks } from "../../shell/fields.js";
import { Fold } from "../../shell/fold.js";

export class SeeForm extends Remarks {
  #fold = new Fold(null);
  #gallery;
  #menu;
  #send;

  /** @param {Model[]} models @param {(change: Partial<PatchSettings>) => void} send */
  constructor(models, send) {
    super({ image: null });
    this.#menu = new ModelMenu(models, () => {
      this.submit();
      this.#describe();
    });
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

  /** Shows settings that came from the address bar. @param {PatchSettings} settings */
  set(settings) {
    this.#menu.show(settings.model);
    this.mark(settings.sample);
    this.#describe();
  }

  #describe() {
    this.#fold.name(this.model.name);
    box("facts").textContent = this.model.summary;
  }

  /** Marks the photo on screen. @param {string | null} sample */
  mark(sample) {
    this.#gallery.mark(sample);
  }

  /** Shows the user's own photo beside the samples. @param {string} copy its address */
  offerOwn(copy) {
    this.#gallery.offerOwn(copy);
  }
}
