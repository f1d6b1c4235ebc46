/** The form of the page of texts: sentence, model and decoding. */

/** @import {Model, Settings} from "../../core/types" */
/** @import {Sounds} from "./sounds.js" */

import { Recent } from "../../core/recent.js";
import { storage } from "../../core/stored.js";
import { counterpartOf } from "../../core/guidance.js";
import { hears } from "../../core/sound_task.js";
import { carriedText } from "../../core/token_request.js";
import { languageOf } from "../../core/text.js";
import { box, byId, html, setLanguage } from "../../draw/dom.js";
import { Fold } from "../../shell/fold.js";
import {
  Remarks,
  SearchFields,
  submitWith,
  chipsOf,
  markChip,
  modelNamed,
  fillFromChips,
} from "../../shell/fields.js";
import { SUMMARY_TERMS, sayTermed } from "../../draw/term.js";

const NEARLY_FULL = 0.8;
/** The text of the button, by the task of the model. @type {Record<string, string>} */
const VERBS = { continue: "Continue", encode: "Read" };

export class AskForm extends Remarks {
  #text = byId("text", HTMLTextAreaElement);
  #model = byId("model", HTMLSelectElement);
  #guidance = byId("guidance", HTMLInputElement);
  #search = new SearchFields(() => this.submit());
  #recent = new Recent(storage("localStorage"));
  #current;
  #send;
  #models;

  /** The sounds that the models that hear are given. @type {Sounds | null} */
  sounds;

  /** @param {Model[]} models @param {(change: Partial<Settings>) => void} send @param {typeof Sounds | null} Heard null if no model hears */
  constructor(models, send, Heard) {
    const text = byId("text", HTMLTextAreaElement);
    const target = byId("target", HTMLTextAreaElement);
    super({ text, target, sound: null }, new Fold(text));
    const hear = (/** @type {string} */ name) => {
      this.#text.value = name;
      this.submit();
    };
    this.sounds = Heard && new Heard(hear, (error) => this.refuse(error));
    this.#models = models;
    this.#send = send;
    this.#current = modelNamed(models, null);
    const submit = () => {
      this.fold.close();
      this.submit();
    };
    submitWith([this.#text, this.#search.target], { typed: () => this.#typed(), submit });
    this.#model.addEventListener("change", () => this.#switched());
    this.#guidance.addEventListener("change", () => {
      const other = counterpartOf(this.#models, this.#current);
      if (other) this.choose(other);
    });
    for (const list of ["examples-list", "recent-list"]) fillFromChips(list, this.#text, submit);
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

  /** Submits the values of the form. */
  submit() {
    this.#send({ model: this.#current.id, text: this.#text.value, ...this.#search.read() });
  }

  /** Shows the request of the page. @param {Settings} settings */
  set(settings) {
    this.#current = modelNamed(this.#models, settings.model);
    this.#model.value = this.#current.id;
    this.#text.value = settings.text ?? this.#current.examples[0] ?? "";
    this.#search.write(settings);
    this.#update();
  }

  /** Stores an answered sentence, unless it is an example. @param {string} text */
  remember(text) {
    if (this.#models.some((model) => model.examples.includes(text))) return;
    this.#recent.add(text);
    this.#offerRecent();
  }

  #offerRecent() {
    const texts = this.#recent.list();
    box("recent").hidden = texts.length === 0;
    box("recent-list").replaceChildren(
      ...texts.map((text) =>
        html.button({ type: "button", value: text, title: text, dir: "auto" }, text),
      ),
    );
  }

  /** @param {string} name */
  lend(name) {
    super.lend(name);
    box("hint").textContent = "";
    setLanguage(this.#text, "");
  }

  /** Requests the text from another model. @param {Model} model */
  choose(model) {
    this.#model.value = model.id;
    this.#switched();
  }

  #switched() {
    const from = this.#current;
    this.#current = this.#models.find((model) => model.id === this.#model.value) ?? from;
    this.#text.value = carriedText(this.#text.value, from, this.#current);
    this.submit();
  }

  #typed() {
    for (const field of [this.#text, this.#search.target]) fitHeight(field);
    const limit = this.#current.limits.characters ?? Infinity;
    const length = Array.from(this.#text.value).length;
    box("room").textContent =
      length > limit * NEARLY_FULL ? `${length} of ${limit} characters` : "";
    box("room").toggleAttribute("data-over", length > limit);
    markChip(box("examples"), this.#text.value);
    box("hint").textContent = this.#current.hints[this.#text.value] ?? "";
  }

  /** Updates the parts that depend on the fields. */
  #update() {
    const { examples, name, task } = this.#current;
    this.sounds?.show(hears(this.#current), this.#text.value);
    box("run").textContent = VERBS[task] ?? "Translate";
    box("examples-list").replaceChildren(...chipsOf(this.#current));
    box("examples").hidden = examples.length === 0;
    sayTermed(box("facts"), this.#current.summary, SUMMARY_TERMS);
    const other = counterpartOf(this.#models, this.#current);
    box("guidance-field").hidden = other === null;
    this.#guidance.checked = other?.id === this.#current.unguided;
    for (const at of [this.#text, box("examples-list")])
      setLanguage(at, languageOf(this.#current, "source"));
    this.fold.name(name);
    this.#search.update("output entered");
    this.#typed();
  }
}

const GROWS_ALONE = CSS.supports("field-sizing", "content");

/** Fits the height of a field to its text, in browsers without `field-sizing`. @param {HTMLTextAreaElement} field */
function fitHeight(field) {
  if (GROWS_ALONE || !field.offsetParent) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight + 2}px`;
}
