/** The form of the page of patches: a photo, and the model. */

/** @import {Model, PatchSettings} from "../core/types" */

import { Gallery } from "../shell/gallery.js";
import { box } from "../shell/dom.js";
import { Remarks, modelNamed } from "../shell/fields.js";

export class SeeForm extends Remarks {
  #gallery;
  #models;
  #current;
  #send;

  /** @param {Model[]} models @param {(change: Partial<PatchSettings>) => void} send */
  constructor(models, send) {
    super({ image: null });
    this.#models = models;
    this.#current = models[0];
    this.#send = send;
    this.#gallery = new Gallery((sample) => this.submit({ sample }));
  }

  get model() {
    return this.#current;
  }

  /** @param {Partial<PatchSettings>} [change] */
  submit(change = {}) {
    this.#send({ model: this.#current.id, ...change });
  }

  /** Shows settings that came from the address bar. @param {PatchSettings} settings */
  set(settings) {
    this.#current = modelNamed(this.#models, settings.model);
    this.mark(settings.sample);
    box("facts").textContent = this.#current.summary;
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
