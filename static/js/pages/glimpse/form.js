/** The form of the page of glimpses: a canvas, examples, a file, and the model. */

/** @import {GlimpseSettings, Model} from "../../core/types" */

import { ApiError } from "../../core/api.js";
import { box, byId } from "../../draw/dom.js";
import { ModelMenu, Remarks, submitWith } from "../../shell/fields.js";
import { Fold } from "../../shell/fold.js";
import { DrawingPad } from "./pad.js";
import { PadKeys } from "./pad_keys.js";
import { glimpse } from "./page.js";

const UNREADABLE =
  "This browser cannot read the file as a picture. Choose a PNG, a JPEG or another picture.";

export class GlimpseForm extends Remarks {
  #pad = new DrawingPad(() => this.submit());
  #file = byId("picture-file", HTMLInputElement);
  #menu;
  #send;

  /** @param {Model[]} models @param {(change: Partial<GlimpseSettings>) => void} send */
  constructor(models, send) {
    super({ image: null }, new Fold(null));
    this.#send = send;
    this.#menu = new ModelMenu(models, () => this.submit());
    submitWith([], { typed: () => {}, submit: () => this.submit() });
    const clear = () => {
      this.#pad.clear();
      this.#mark();
    };
    box("clear").addEventListener("click", clear);
    void new PadKeys(this.#pad, clear);
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
  }

  get model() {
    return this.#menu.model;
  }

  submit() {
    this.#send({ model: this.model.id, picture: this.#pad.picture });
  }

  /** Reads the picture of a file; false if it is none. @param {Blob} file */
  async take(file) {
    const taken = await this.#pad.take(file).catch(() => null);
    if (taken) this.submit();
    return taken !== null;
  }

  /** Shows the request of the page. @param {GlimpseSettings} settings */
  set(settings) {
    this.#menu.show(settings.model);
    void this.#pad.show(glimpse.body(settings, this.model).picture);
    this.fold.name(this.model.name);
    box("facts").textContent = this.model.summary;
    this.#mark();
  }

  /** Marks the example that is shown. */
  #mark() {
    const { picture } = this.#pad;
    for (const example of box("drawings").querySelectorAll("button"))
      example.setAttribute("aria-pressed", String(example.value === picture));
  }
}
