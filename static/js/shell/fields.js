/** Fields of the forms and of the views: decoding, examples, errors, radios, menus and hypotheses. */

/** @import {ApiError} from "../core/api.js" */
/** @import {Model, SearchKind, Output, PictureOutput} from "../core/types" */
/** @import {Fold} from "./fold.js" */

import { signed, visible } from "../core/text.js";
import { box, byId, fill, html } from "../draw/dom.js";

/** @typedef {{target: string | null, search: SearchKind, beam: number, seed: number, temperature: number}} Chosen */

/** The panel that sets the decoding or the forced output. */
export class SearchFields {
  #form = byId("ask", HTMLFormElement);
  #panel = byId("search", HTMLDetailsElement);
  #beam = byId("beam", HTMLInputElement);
  #seed = byId("seed", HTMLInputElement);
  #temperature = byId("temperature", HTMLInputElement);
  target = byId("target", HTMLTextAreaElement);

  /** @param {() => void} changed called when another decoding is chosen, not while a number is typed */
  constructor(changed) {
    this.#panel.addEventListener("change", ({ target }) => {
      if (target !== this.target) changed();
    });
  }

  /** @returns {Chosen} */
  read() {
    return {
      target: this.target.value === "" ? null : this.target.value,
      search: this.#kind,
      beam: Number(this.#beam.value),
      seed: Number(this.#seed.value),
      temperature: Number(this.#temperature.value),
    };
  }

  /** @param {Chosen} chosen */
  write({ target, search, beam, seed, temperature }) {
    this.target.value = target ?? "";
    this.#beam.value = String(beam);
    this.#seed.value = String(seed);
    this.#temperature.value = String(temperature);
    for (const radio of this.#form.querySelectorAll('input[name="search"]')) {
      if (radio instanceof HTMLInputElement) radio.checked = radio.value === search;
    }
  }

  /** Shows the decoding in one word. @param {string} forced the word for forced decoding */
  update(forced) {
    const kind = this.#kind;
    const chosen = {
      greedy: "greedy",
      beam: `beam search, width ${this.#beam.value}`,
      sample: "sampling",
    }[kind];
    box("search-now").textContent = this.target.value ? forced : chosen;
    this.#panel.dataset.kind = kind;
  }

  get #kind() {
    return /** @type {SearchKind} */ (new FormData(this.#form).get("search") ?? "greedy");
  }
}

/** Errors beside their fields, or below the form. */
export class Remarks {
  #fields;
  fold;

  /** @param {Record<string, HTMLTextAreaElement | null>} fields by name; each has an element for its error @param {Fold} fold which opens for the field of an error */
  constructor(fields, fold) {
    this.#fields = fields;
    this.fold = fold;
  }

  /** @param {ApiError} error @param {string | null} [name] of its field @returns {HTMLElement} its place */
  refuse(error, name = error.field) {
    const hasField = name !== null && name in this.#fields;
    const place = box(`${hasField ? name : "form"}-error`);
    place.replaceChildren(error.message);
    place.hidden = false;
    const field = hasField ? this.#fields[name] : null;
    if (field || box("fold").contains(place)) this.fold.open();
    if (name === "target") byId("search", HTMLDetailsElement).open = true;
    field?.setAttribute("aria-invalid", "true");
    if (field && document.activeElement?.closest("#ask")) field.focus();
    return place;
  }

  /** Shows the name of what is on screen instead of the model's. @param {string} name */
  lend(name) {
    this.fold.name(name);
    box("facts").textContent = "No model of this server has computed this result.";
  }

  /** Shows a notice. @param {string} text */
  notice(text) {
    box("form-error").textContent = text;
    box("form-error").hidden = false;
    box("form-error").toggleAttribute("data-notice", true);
  }

  accept() {
    for (const name of [...Object.keys(this.#fields), "form"]) {
      const place = box(`${name}-error`);
      place.hidden = true;
      place.replaceChildren();
      place.removeAttribute("data-notice");
      this.#fields[name]?.removeAttribute("aria-invalid");
    }
  }
}

/**
 * Submits on Enter in one of the fields, and on the button. In a field of several lines Enter begins
 * another, so there it submits with Control.
 * @param {HTMLTextAreaElement[]} fields @param {{typed: () => void, submit: () => void}} wiring
 */
export function submitWith(fields, { typed, submit }) {
  byId("ask", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  for (const field of fields) {
    field.addEventListener("input", typed);
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      if (field.rows > 1 && !(event.ctrlKey || event.metaKey)) return;
      // During composition, Enter is for the input method.
      if (event.shiftKey || event.isComposing) return;
      event.preventDefault();
      submit();
    });
  }
}

/** Puts the text of a chip into the field when it is pressed. @param {string} list @param {HTMLTextAreaElement} field @param {() => void} submit */
export function fillFromChips(list, field, submit) {
  box(list).addEventListener("click", ({ target }) => {
    const chip = target instanceof Element ? target.closest("button") : null;
    if (!chip) return;
    field.value = chip.value;
    submit();
  });
}

/** The models of the page, which the form lists. @returns {Model[]} */
export const installedModels = () =>
  JSON.parse(byId("ask", HTMLFormElement).dataset.models ?? "[]");

/** The sentence with the command that brings a model, if the menu has one that is not installed. @param {string} id */
export function installing(id) {
  const { options } = byId("model", HTMLSelectElement);
  const absent = [...options].find(({ value, disabled }) => disabled && value === id);
  return absent ? ` Install it with: ${absent.title}` : "";
}

/** The menu of models. */
export class ModelMenu {
  #select = byId("model", HTMLSelectElement);
  #models;
  model;

  /** @param {Model[]} models @param {() => void} chosen called after the user has chosen one */
  constructor(models, chosen) {
    this.#models = models;
    this.model = modelNamed(models, null);
    this.#select.addEventListener("change", () => {
      this.model = models.find(({ id }) => id === this.#select.value) ?? this.model;
      chosen();
    });
  }

  /** Shows the model of this id, else the default one. @param {string | null} id */
  show(id) {
    this.model = modelNamed(this.#models, id);
    this.#select.value = this.model.id;
  }
}

/** The model of this id, else the default one; a page without models never asks one. @param {Model[]} models @param {string | null} id */
export const modelNamed = (models, id) =>
  /** @type {Model} */ (
    models.find((model) => model.id === id) ?? models.find((model) => model.default) ?? models[0]
  );

/** The examples of a model, as buttons. @param {Model} model */
export const chipsOf = ({ examples, hints }) =>
  examples.map((text) =>
    html.button({ type: "button", value: text, title: hints[text] ?? null, dir: "auto" }, text),
  );

/** Marks the chip whose text is in the field. @param {HTMLElement} list @param {string} text */
export function markChip(list, text) {
  for (const chip of list.querySelectorAll("button"))
    chip.setAttribute("aria-pressed", String(chip.value === text));
}

/** @param {string} id of the fieldset @param {(value: string) => void} call */
export function onRadio(id, call) {
  box(id).addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === "radio") call(target.value);
  });
}

/** @param {HTMLInputElement} slider @param {(value: number, how: {by: string}) => void} call */
export function onSlide(slider, call) {
  slider.addEventListener("input", () => call(Number(slider.value), { by: slider.id }));
}

/** @param {string} id of the fieldset @param {string} value */
export function check(id, value) {
  for (const radio of box(id).querySelectorAll("input")) radio.checked = radio.value === value;
}

/**
 * Fills a menu, and hides it if there is no choice.
 * @template {string | number} T
 * @param {HTMLSelectElement} select @param {T[]} values @param {T | undefined} value
 * @param {(value: T) => string} named
 */
export function offer(select, values, value, named) {
  const label = select.closest("label");
  if (label) label.hidden = values.length < 2;
  fill(
    select,
    values.map((each) => ({ value: String(each), text: named(each) })),
    String(value),
  );
}

/** The hypotheses of a beam, the best first. @param {(Output | PictureOutput)[]} all @param {number} pick */
export function offerHypotheses(all, pick) {
  box("hypotheses").hidden = all.length < 2;
  const options = all.map(({ text, score }, index) => {
    const input = html.input({ type: "radio", name: "hypotheses", value: index });
    input.checked = index === pick;
    const title = `${index === 0 ? "Best" : `Runner-up ${index}`}: score ${score}`;
    const number = html.span({ class: "number note" }, signed(score, 2));
    return html.label(
      { title },
      input,
      html.span(html.bdi(visible(text) || "(nothing)"), " ", number),
    );
  });
  box("hypotheses-list").replaceChildren(...(all.length < 2 ? [] : options));
}
