/** The note that an input is in a language that the model does not read, with a model that does. */

/** @import {Model, Scene} from "../../core/types" */

import { box, html } from "../../draw/dom.js";

export class LanguageNote {
  #note = html.p({ id: "language", class: "note unread", role: "status" });
  #models;
  #choose;
  /** The model and the text on screen: a guess about others that comes late is dropped. */
  #shown = "";

  /** @param {Model[]} models @param {(model: Model) => void} choose requests the same text from another model */
  constructor(models, choose) {
    this.#models = models;
    this.#choose = choose;
    this.#note.hidden = true;
    box("unread").after(this.#note);
  }

  /** @param {Scene} scene */
  draw({ model, trace }) {
    const shown = JSON.stringify([model.id, trace.source.text]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#note.hidden = true;
    void this.#guess(model, trace.source.text);
  }

  /** @param {Model} model @param {string} text */
  async #guess(model, text) {
    const shown = this.#shown;
    if (model.task !== "translate" || model.examples.includes(text)) return;
    // Most texts are examples, which need no guess.
    const { foreignLanguage } = await import("../../core/language_guess.js");
    const languages = new Map(
      this.#models.flatMap(({ source, target }) =>
        [source, target].map(({ code, name }) => /** @type {const} */ ([code, name])),
      ),
    );
    const code = foreignLanguage(text, model.source.code, [...languages.keys()]);
    if (code === null || this.#shown !== shown) return;
    this.#show(languages.get(code) ?? "", model, readerOf(code, model, this.#models));
  }

  /** @param {string} language @param {Model} model @param {Model | null} reader */
  #show(language, model, reader) {
    const says = `This looks like ${language}. This model reads ${model.source.name}.`;
    if (!reader) this.#note.replaceChildren(says);
    else {
      const name = `Translate it with ${reader.name}`;
      const button = html.button({ type: "button", class: "quiet" }, name);
      button.addEventListener("click", () => this.#choose(reader));
      this.#note.replaceChildren(says, " ", button);
    }
    this.#note.hidden = false;
  }
}

/** The model that reads a language: one that writes the same as the current model, or the best. @param {string} code @param {Model} model @param {Model[]} models */
function readerOf(code, model, models) {
  const readers = models.filter(({ task, source }) => task === model.task && source.code === code);
  return readers.find(({ target }) => target.code === model.target.code) ?? readers[0] ?? null;
}
