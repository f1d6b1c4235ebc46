/**
 * The form of the page of a single kind of model: a field for each input, examples, and the menu of
 * models. The last field is always visible; the others can be folded away.
 */

/** @import {ApiError} from "../core/api.js" */
/** @import {Axes, MapAxisKind, Model, ModelPage} from "../core/types" */

import { box, byId, html } from "../draw/dom.js";
import { ModelMenu, Remarks, markChip, submitWith } from "./fields.js";
import { Fold } from "./fold.js";

/** @template {MapAxisKind} A */
export class ModelForm extends Remarks {
  #page;
  #fields;
  #menu;
  #send;

  /** @param {ModelPage<A>} page @param {Model[]} models @param {(change: Partial<Axes[A]["settings"]>) => void} send */
  constructor(page, models, send) {
    const fields = page.inputs.map((name) => byId(name, HTMLTextAreaElement));
    const last = /** @type {HTMLTextAreaElement} */ (fields.at(-1));
    super(Object.fromEntries(fields.map((field) => [field.name, field])), new Fold(last));
    this.#page = page;
    this.#fields = fields;
    this.#send = send;
    this.#menu = new ModelMenu(models, () => this.submit());
    const submit = () => {
      this.fold.close();
      this.submit();
    };
    submitWith([last], { typed: () => this.#typed(), submit });
    for (const field of fields.slice(0, -1)) field.addEventListener("input", () => this.#typed());
    box("examples-list").addEventListener("click", ({ target }) => {
      const chip = target instanceof Element ? target.closest("button") : null;
      if (!chip) return;
      this.#fill(page.partsOf(chip.value));
      submit();
    });
  }

  get model() {
    return this.#menu.model;
  }

  submit() {
    const values = Object.fromEntries(this.#fields.map(({ name, value }) => [name, value]));
    const change = { model: this.model.id, ...values, step: null };
    this.#send(/** @type {Partial<Axes[A]["settings"]>} */ (/** @type {unknown} */ (change)));
  }

  /** Shows the request of the page. @param {Axes[A]["settings"]} settings */
  set(settings) {
    this.#menu.show(settings.model);
    this.#fill(this.#page.body(settings, this.model));
    this.#update();
  }

  /** Opens the form at its first field. */
  edit() {
    this.fold.open();
    this.#fields[0]?.focus();
  }

  /** Shows an error at its field; that of a single input may have parts with names of their own. @param {ApiError} error */
  refuse(error) {
    const { inputs } = this.#page;
    const ofOnly = inputs.length === 1 && error.field !== null && error.field !== "model";
    return super.refuse(error, ofOnly ? (inputs[0] ?? null) : error.field);
  }

  /** @param {Record<string, string>} values */
  #fill(values) {
    for (const field of this.#fields) field.value = values[field.name] ?? "";
  }

  #typed() {
    markChip(box("examples"), this.#fields.map(({ value }) => value).join("\n"));
  }

  #update() {
    const { examples, name, summary } = this.model;
    box("examples-list").replaceChildren(
      ...examples.map((example) => {
        const { text, title } = this.#page.nameOf(example);
        return html.button({ type: "button", value: example, title, dir: "auto" }, text);
      }),
    );
    box("examples").hidden = examples.length === 0;
    box("facts").textContent = summary;
    this.fold.name(name);
    this.#typed();
  }
}
