/** The form of the page of pictures: photo, model, question and decoding. */

/** @import {ApiError} from "../../core/api.js" */
/** @import {Model, PictureSettings} from "../../core/types" */

import { box, byId } from "../../draw/dom.js";
import { Fold } from "../../shell/fold.js";
import {
  Remarks,
  SearchFields,
  submitWith,
  chipsOf,
  modelNamed,
  markChip,
  fillFromChips,
} from "../../shell/fields.js";
import { SUMMARY_TERMS, sayTermed } from "../../draw/term.js";
import { outputName } from "../../core/decoding.js";
import { asks, draws } from "../../core/grid_request.js";
import { Gallery } from "../../shell/gallery.js";
import { photoOf, questionAbout } from "../../shell/samples.js";
import { DRAWS } from "../../core/grid_state.js";

export class PictureForm extends Remarks {
  #model = byId("model", HTMLSelectElement);
  #question = byId("question", HTMLTextAreaElement);
  #draws = byId("draws", HTMLInputElement);
  #search = new SearchFields(() => this.submit());
  #gallery = new Gallery((sample) => this.#show(sample));
  /** The questions that were asked about photos, by their names. @type {Map<string, string>} */
  #asked = new Map();
  /** The photo of the request. @type {string | null} */
  #sample = null;
  #models;
  #current;
  #send;

  /** @param {Model[]} models @param {(change: Partial<PictureSettings>) => void} send */
  constructor(models, send) {
    const question = byId("question", HTMLTextAreaElement);
    const target = byId("target", HTMLTextAreaElement);
    super({ image: null, question, target }, new Fold(question));
    this.#models = models;
    this.#current = modelNamed(models, null);
    this.#send = send;
    const submit = () => {
      this.fold.close();
      this.#asked.set(photoOf(this.#sample), this.#question.value);
      this.submit();
    };
    submitWith([this.#question, this.#search.target], { typed: () => this.#typed(), submit });
    this.#model.addEventListener("change", () => this.#switched());
    fillFromChips("examples-list", this.#question, submit);
  }

  get model() {
    return this.#current;
  }

  /** Submits the values of the form. @param {Partial<PictureSettings>} [change] */
  submit(change = {}) {
    this.#send({
      model: this.#current.id,
      question: asks(this.#current) ? this.#question.value : null,
      ...this.#search.read(),
      draws: this.#draws.checked && draws(this.#current) ? DRAWS : 0,
      ...change,
    });
  }

  /** Shows the request of the page. @param {PictureSettings} settings */
  set(settings) {
    this.#current =
      this.#models.find((model) => model.id === settings.model) ?? this.#models[0] ?? this.#current;
    this.#model.value = this.#current.id;
    this.#sample = settings.sample;
    this.#question.value = settings.question ?? this.questionOf(settings, this.#current) ?? "";
    this.#search.write(settings);
    this.#draws.checked = settings.draws > 0;
    this.#gallery.mark(settings.sample);
    this.#update();
  }

  /** Shows the user's own photo beside the samples. @param {string} copy its address */
  offerOwn(copy) {
    this.#gallery.offerOwn(copy);
  }

  /** @param {ApiError} error */
  refuse(error) {
    // The API names the field of the question `text`.
    return super.refuse(error, error.field === "text" ? "question" : error.field);
  }

  /** The question about a photo, until another is asked; null for a model that takes none. @param {Pick<PictureSettings, "question" | "sample">} settings @param {Model} model */
  questionOf({ question, sample }, model) {
    if (!asks(model)) return null;
    const about = this.#asked.get(photoOf(sample)) ?? questionAbout(sample);
    return question ?? about ?? (this.#question.value || (model.examples[0] ?? null));
  }

  /** Shows another photo, with its own question. @param {string} sample */
  #show(sample) {
    this.submit({ sample, question: this.questionOf({ question: null, sample }, this.#current) });
  }

  #switched() {
    this.#current = this.#models.find((model) => model.id === this.#model.value) ?? this.#current;
    if (asks(this.#current) && this.#question.value.trim() === "")
      this.#question.value =
        this.questionOf({ question: null, sample: this.#sample }, this.#current) ?? "";
    this.#search.target.value = "";
    this.submit();
  }

  #typed() {
    markChip(box("examples-list"), this.#question.value);
  }

  /** Updates the parts that depend on the fields. */
  #update() {
    const model = this.#current;
    box("question-field").hidden = !asks(model);
    box("examples").hidden = !asks(model);
    box("examples-list").replaceChildren(...(asks(model) ? chipsOf(model) : []));
    sayTermed(box("facts"), model.summary, SUMMARY_TERMS);
    this.fold.name(model.name);
    box("draws-field").hidden = !draws(model);
    box("target-name").textContent = `Enter the ${outputName(model)} yourself`;
    this.#search.update(`${outputName(model)} entered`);
    box("search").toggleAttribute("data-seeded", draws(model));
    this.#typed();
  }
}
