/** What is asked: the photo, the model, the question, how the caption is chosen. Errors stand beside their field. */

/** @import {ApiError} from "../../api.js" */
/** @import {Model, PictureSettings, SearchKind} from "../../types" */

import { facts } from "../../facts.js";
import { box, byId, element } from "../../ui/dom.js";
import { asks, draws } from "../request.js";
import { SAMPLES, sampleOf } from "../samples.js";
import { DRAWS, YOURS } from "../state.js";

/** @type {Record<string, string>} which part of the form a field of the API is */
const PLACES = { image: "image", question: "question", target: "target", text: "question" };
const TASKS = { caption: "Captions", ask: "Answers to questions" };

export class PictureForm {
  #form = byId("ask", HTMLFormElement);
  #model = byId("model", HTMLSelectElement);
  #question = byId("question", HTMLTextAreaElement);
  #target = byId("target", HTMLTextAreaElement);
  #beam = byId("beam", HTMLInputElement);
  #seed = byId("seed", HTMLInputElement);
  #temperature = byId("temperature", HTMLInputElement);
  #draws = byId("draws", HTMLInputElement);
  #search = byId("search", HTMLDetailsElement);
  #gallery = box("gallery");
  #models;
  #current;
  #ask;

  /** @param {Model[]} models @param {(change: Partial<PictureSettings>) => void} ask */
  constructor(models, ask) {
    this.#models = models;
    this.#current = models[0];
    this.#ask = ask;
    this.#offerModels();
    const samples = this.#gallery.dataset.samples ?? "";
    this.#gallery.replaceChildren(
      ...SAMPLES.map(({ name, says }) => element("button", { type: "button", value: name, title: says, "aria-label": `Sample: ${says}` }, element("img", { src: `${samples}/small/${name}.jpg`, width: 60, height: 60, alt: "" }))),
    );
    this.#gallery.addEventListener("click", ({ target }) => {
      const pressed = target instanceof Element ? target.closest("button") : null;
      if (pressed) this.submit({ sample: pressed.value });
    });
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    for (const field of [this.#question, this.#target]) {
      field.addEventListener("input", () => this.#typed());
      field.addEventListener("keydown", (event) => {
        // While an input method composes, Enter belongs to it.
        if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        this.submit();
      });
    }
    this.#model.addEventListener("change", () => this.#switched());
    this.#search.addEventListener("change", ({ target }) => {
      if (target !== this.#target) this.submit();
    });
    box("examples-list").addEventListener("click", ({ target }) => {
      const chip = target instanceof Element ? target.closest("button") : null;
      if (!chip) return;
      this.#question.value = chip.value;
      this.submit();
    });
  }

  get model() {
    return this.#current;
  }

  /** Asks for what the form says now. @param {Partial<PictureSettings>} [besides] */
  submit(besides = {}) {
    this.#ask({
      model: this.#current.id,
      question: asks(this.#current) ? this.#question.value : null,
      target: this.#target.value === "" ? null : this.#target.value,
      search: /** @type {SearchKind} */ (new FormData(this.#form).get("kind") ?? "greedy"),
      beam: Number(this.#beam.value),
      seed: Number(this.#seed.value),
      temperature: Number(this.#temperature.value),
      draws: this.#draws.checked && draws(this.#current) ? DRAWS : 0,
      ...besides,
    });
    this.#dress();
  }

  /** Shows settings that came from the address bar. @param {PictureSettings} settings @returns {Model} */
  set(settings) {
    this.#current = this.#models.find((model) => model.id === settings.model) ?? this.#models[0];
    this.#model.value = this.#current.id;
    this.#question.value = settings.question ?? this.#exampleOf(this.#current);
    this.#target.value = settings.target ?? "";
    this.#beam.value = String(settings.beam);
    this.#seed.value = String(settings.seed);
    this.#temperature.value = String(settings.temperature);
    this.#draws.checked = settings.draws > 0;
    for (const radio of this.#form.querySelectorAll('input[name="kind"]')) {
      if (radio instanceof HTMLInputElement) radio.checked = radio.value === settings.search;
    }
    this.mark(settings.sample);
    this.#dress();
    return this.#current;
  }

  /** Which sample is on screen, if it is one. @param {string | null} sample */
  mark(sample) {
    const chosen = sample === YOURS ? null : sampleOf(sample).name;
    for (const button of this.#gallery.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.value === chosen));
  }

  /** @param {ApiError} error if it belongs to a field it is shown there, else below the form */
  refuse(error) {
    const name = PLACES[error.field ?? ""] ?? "form";
    const place = box(`${name}-error`);
    place.replaceChildren(error.message);
    place.hidden = false;
    const field = name === "question" ? this.#question : name === "target" ? this.#target : null;
    if (name === "target") this.#search.open = true;
    field?.setAttribute("aria-invalid", "true");
    if (field && document.activeElement?.closest("#ask")) field.focus();
    return place;
  }

  /** Says something that is no error. @param {string} text */
  notice(text) {
    box("form-error").textContent = text;
    box("form-error").hidden = false;
    box("form-error").toggleAttribute("data-notice", true);
  }

  accept() {
    for (const name of ["image", "question", "target", "form"]) {
      box(`${name}-error`).hidden = true;
      box(`${name}-error`).replaceChildren();
      box(`${name}-error`).removeAttribute("data-notice");
    }
    this.#question.removeAttribute("aria-invalid");
    this.#target.removeAttribute("aria-invalid");
  }

  #offerModels() {
    for (const [task, label] of Object.entries(TASKS)) {
      const options = this.#models.filter((model) => model.task === task).map(({ id, name }) => element("option", { value: id }, name));
      if (options.length) this.#model.append(element("optgroup", { label }, ...options));
    }
  }

  /** @param {Model} model */
  #exampleOf(model) {
    return asks(model) ? (model.examples[0] ?? "") : "";
  }

  #switched() {
    this.#current = this.#models.find((model) => model.id === this.#model.value) ?? this.#current;
    if (asks(this.#current) && this.#question.value.trim() === "") this.#question.value = this.#exampleOf(this.#current);
    this.#target.value = "";
    this.submit();
  }

  #typed() {
    for (const chip of box("examples-list").querySelectorAll("button")) chip.setAttribute("aria-pressed", String(chip.value === this.#question.value));
  }

  /** Brings what depends on the fields up to date. */
  #dress() {
    const model = this.#current;
    const { examples, hints } = model;
    box("question-field").hidden = !asks(model);
    const chips = asks(model) ? examples.map((text) => element("button", { type: "button", value: text, title: hints[text] ?? null, dir: "auto" }, text)) : [];
    box("examples-list").replaceChildren(...chips);
    box("facts").textContent = facts(model);
    box("draws-field").hidden = !draws(model);
    const kind = String(new FormData(this.#form).get("kind") ?? "greedy");
    const chosen = { greedy: "likeliest first", beam: `beam of ${this.#beam.value}`, sample: "drawn by chance" }[kind];
    box("search-now").textContent = this.#target.value ? "caption given" : (chosen ?? "");
    this.#search.dataset.kind = kind;
    this.#search.toggleAttribute("data-seeded", draws(model));
    this.#typed();
  }
}
