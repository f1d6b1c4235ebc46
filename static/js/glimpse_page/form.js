/** The form of the page of glimpses: a canvas, examples, a file, and the model. */

/** @import {GlimpseSettings, Model} from "../core/types" */

import { ApiError } from "../core/api.js";
import { glimpseBody } from "../core/glimpse_request.js";
import { box, byId } from "../shell/dom.js";
import { Remarks, modelNamed, submitWith } from "../shell/fields.js";
import { DrawingPad } from "./pad.js";

const UNREADABLE =
  "This browser cannot read the file as a picture. Choose a PNG, a JPEG or another picture.";

export class GlimpseForm {
  #pad = new DrawingPad(() => this.submit());
  #file = byId("picture-file", HTMLInputElement);
  #model = byId("model", HTMLSelectElement);
  #remarks = new Remarks({});
  #models;
  #send;
  #current;

  /** @param {Model[]} models @param {(change: Partial<GlimpseSettings>) => void} send */
  constructor(models, send) {
    this.#models = models;
    this.#send = send;
    this.#current = models[0];
    submitWith([], { typed: () => {}, submit: () => this.submit() });
    box("clear").addEventListener("click", () => {
      this.#pad.clear();
      this.#mark();
    });
    box("drawings").addEventListener("click", (event) => {
      const example = event.target instanceof Element ? event.target.closest("button") : null;
      if (!example) return;
      event.preventDefault();
      void this.#pad.show(example.value);
      this.submit();
    });
    this.#file.addEventListener("change", async () => {
      const [file] = this.#file.files ?? [];
      this.#file.value = ""; // so that the same file can be chosen again
      if (file && !(await this.take(file)))
        this.refuse(new ApiError("unsupported_picture", UNREADABLE, "image"));
    });
    this.#model.addEventListener("change", () => {
      this.#current = this.#models.find(({ id }) => id === this.#model.value) ?? this.#current;
      this.submit();
    });
  }

  get model() {
    return this.#current;
  }

  submit() {
    this.#send({ model: this.#current.id, picture: this.#pad.picture });
    this.#mark();
  }

  /** Reads the picture of a file; false if it is none. @param {Blob} file */
  async take(file) {
    try {
      await this.#pad.take(file);
    } catch {
      return false;
    }
    this.submit();
    return true;
  }

  /** Shows settings that came from the address bar. @param {GlimpseSettings} settings */
  set(settings) {
    this.#current = modelNamed(this.#models, settings.model);
    this.#model.value = this.#current.id;
    void this.#pad.show(glimpseBody(settings, this.#current).picture);
    box("facts").textContent = this.#current.summary;
    this.#mark();
  }

  /** @param {ApiError} error */
  refuse(error) {
    return this.#remarks.refuse(error);
  }

  /** Shows a notice, which is no error. @param {string} text */
  notice(text) {
    this.#remarks.notice(text);
  }

  accept() {
    this.#remarks.accept();
  }

  /** Marks the example that is shown. */
  #mark() {
    const { picture } = this.#pad;
    for (const example of box("drawings").querySelectorAll("button"))
      example.setAttribute("aria-pressed", String(example.value === picture));
  }
}
