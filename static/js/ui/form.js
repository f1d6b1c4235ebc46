/** What is asked: the sentence, the model, how the output is chosen. Errors stand beside their field. */

/** @import {ApiError} from "../api.js" */
/** @import {Model, SearchKind, Settings} from "../types" */

import { facts } from "../facts.js";
import { Recent, storage } from "../recent.js";
import { carriedText } from "../request.js";
import { box, byId, element } from "./dom.js";

const NEARLY_FULL = 0.8;

export class AskForm {
  #form = byId("ask", HTMLFormElement);
  #text = byId("text", HTMLTextAreaElement);
  #model = byId("model", HTMLSelectElement);
  #target = byId("target", HTMLTextAreaElement);
  #beam = byId("beam", HTMLInputElement);
  #seed = byId("seed", HTMLInputElement);
  #temperature = byId("temperature", HTMLInputElement);
  #search = byId("search", HTMLDetailsElement);
  #recent = new Recent(storage());
  #current;
  #ask;
  #models;

  /** @param {Model[]} models @param {(change: Partial<Settings>) => void} ask */
  constructor(models, ask) {
    this.#models = models;
    this.#ask = ask;
    this.#current = models[0];
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    for (const field of [this.#text, this.#target]) {
      field.addEventListener("input", () => this.#typed());
      field.addEventListener("keydown", (event) => {
        // While an input method composes, Enter belongs to it.
        if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        this.submit();
      });
    }
    this.#model.addEventListener("change", () => this.#switched());
    this.#search.addEventListener("change", (event) => {
      if (event.target !== this.#target) this.submit();
    });
    for (const list of ["examples-list", "recent-list"]) {
      box(list).addEventListener("click", (event) => {
        const chip = /** @type {Element} */ (event.target).closest("button");
        if (!chip) return;
        this.#text.value = chip.value;
        this.submit();
      });
    }
    box("forget").addEventListener("click", () => {
      this.#recent.forget();
      this.#offerRecent();
      this.#text.focus();
    });
    this.#offerRecent();
  }

  get model() {
    return this.#current;
  }

  /** Asks for what the form says now. */
  submit() {
    this.#ask({
      model: this.#current.id,
      text: this.#text.value,
      target: this.#target.value === "" ? null : this.#target.value,
      search: /** @type {SearchKind} */ (new FormData(this.#form).get("kind") ?? "greedy"),
      beam: Number(this.#beam.value),
      seed: Number(this.#seed.value),
      temperature: Number(this.#temperature.value),
    });
    this.#dress();
  }

  /** Shows settings that came from the address bar. @param {Settings} settings @returns {Model} */
  set(settings) {
    const known = this.#models.find((model) => model.id === settings.model);
    this.#current = known ?? this.#models.find((model) => model.default) ?? this.#models[0];
    this.#model.value = this.#current.id;
    this.#text.value = settings.text ?? this.#current.examples[0] ?? "";
    this.#target.value = settings.target ?? "";
    this.#beam.value = String(settings.beam);
    this.#seed.value = String(settings.seed);
    this.#temperature.value = String(settings.temperature);
    for (const radio of this.#form.querySelectorAll('input[name="kind"]')) {
      if (radio instanceof HTMLInputElement) radio.checked = radio.value === settings.search;
    }
    this.#dress();
    return this.#current;
  }

  /** Keeps what was asked and answered, unless it is an example anyway. @param {string} text */
  remember(text) {
    if (this.#models.some((model) => model.examples.includes(text))) return;
    this.#recent.add(text);
    this.#offerRecent();
  }

  #offerRecent() {
    const texts = this.#recent.list();
    box("recent").hidden = texts.length === 0;
    box("recent-list").replaceChildren(...texts.map((text) => element("button", { type: "button", value: text, title: text, dir: "auto" }, text)));
  }

  /** @param {ApiError} error whether it belongs to a field it is shown there, else below the form */
  refuse(error) {
    const name = { text: "text", target: "target" }[error.field ?? ""];
    const field = name === "text" ? this.#text : name === "target" ? this.#target : null;
    const place = box(`${name ?? "form"}-error`);
    place.replaceChildren(error.message);
    place.hidden = false;
    if (!field) return place;
    if (field === this.#target) this.#search.open = true;
    field.setAttribute("aria-invalid", "true");
    if (document.activeElement?.closest("#ask")) field.focus();
    return place;
  }

  /** Says something that is no error. @param {string} text */
  notice(text) {
    box("form-error").textContent = text;
    box("form-error").hidden = false;
    box("form-error").toggleAttribute("data-notice", true);
  }

  accept() {
    for (const name of ["text", "target", "form"]) {
      box(`${name}-error`).hidden = true;
      box(`${name}-error`).replaceChildren();
      box(`${name}-error`).removeAttribute("data-notice");
    }
    this.#text.removeAttribute("aria-invalid");
    this.#target.removeAttribute("aria-invalid");
  }

  #switched() {
    const from = this.#current;
    this.#current = this.#models.find((model) => model.id === this.#model.value) ?? from;
    this.#text.value = carriedText(this.#text.value, from, this.#current);
    this.submit();
  }

  #typed() {
    for (const field of [this.#text, this.#target]) fitHeight(field);
    const limit = this.#current.limits.characters ?? Infinity;
    const length = Array.from(this.#text.value).length;
    box("room").textContent = length > limit * NEARLY_FULL ? `${length} of ${limit} characters` : "";
    box("room").toggleAttribute("data-over", length > limit);
    for (const chip of box("examples").querySelectorAll("button")) {
      chip.setAttribute("aria-pressed", String(chip.value === this.#text.value));
    }
    box("hint").textContent = this.#current.hints[this.#text.value] ?? "";
  }

  /** Brings what depends on the fields up to date. */
  #dress() {
    const { examples, hints } = this.#current;
    const chips = examples.map((text) => element("button", { type: "button", value: text, title: hints[text] ?? null, dir: "auto" }, text));
    box("hint").hidden = Object.keys(hints).length === 0;
    box("examples-list").replaceChildren(...chips);
    box("examples").hidden = chips.length === 0;
    box("facts").textContent = facts(this.#current);
    const kind = String(new FormData(this.#form).get("kind") ?? "greedy");
    const chosen = { greedy: "likeliest first", beam: `beam of ${this.#beam.value}`, sample: "drawn by chance" }[kind];
    box("search-now").textContent = this.#target.value ? "output given" : (chosen ?? "");
    this.#search.dataset.kind = kind;
    this.#typed();
  }
}

const GROWS_ALONE = CSS.supports("field-sizing", "content");

/** @param {HTMLTextAreaElement} field as tall as its text, where the browser does not see to that */
function fitHeight(field) {
  if (GROWS_ALONE || !field.offsetParent) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight + 2}px`;
}
