/** The form of the page of stories: story, question and model. */

/** @import {ApiError} from "../core/api.js" */
/** @import {Model, StorySettings} from "../core/types" */

import { partsOf, storyBody } from "../core/story_request.js";
import { box, byId, element } from "../shell/dom.js";
import { Fold } from "../shell/fold.js";
import { Remarks, markChip, modelNamed, submitWith } from "../shell/fields.js";

export class StoryForm {
  #story = byId("story", HTMLTextAreaElement);
  #question = byId("question", HTMLTextAreaElement);
  #model = byId("model", HTMLSelectElement);
  #remarks = new Remarks({ story: this.#story, question: this.#question });
  #fold = new Fold(this.#question);
  #models;
  #send;
  #current;

  /** @param {Model[]} models @param {(change: Partial<StorySettings>) => void} send */
  constructor(models, send) {
    this.#models = models;
    this.#send = send;
    this.#current = models[0];
    const submit = () => {
      this.#fold.close();
      this.submit();
    };
    submitWith([this.#question], { typed: () => this.#typed(), submit });
    this.#story.addEventListener("input", () => this.#typed());
    this.#model.addEventListener("change", () => {
      this.#current = this.#models.find(({ id }) => id === this.#model.value) ?? this.#current;
      this.submit();
    });
    box("examples-list").addEventListener("click", ({ target }) => {
      const chip = target instanceof Element ? target.closest("button") : null;
      if (!chip) return;
      this.#fill(partsOf(chip.value));
      submit();
    });
    // Sentences in the list lead to the field in which they are edited.
    box("edit").addEventListener("click", () => {
      this.#fold.open();
      this.#story.focus();
    });
  }

  get model() {
    return this.#current;
  }

  submit() {
    this.#send({
      model: this.#current.id,
      story: this.#story.value,
      question: this.#question.value,
    });
    this.#update();
  }

  /** Shows settings that came from the address bar. @param {StorySettings} settings */
  set(settings) {
    this.#current = modelNamed(this.#models, settings.model);
    this.#model.value = this.#current.id;
    this.#fill(storyBody(settings, this.#current));
    this.#update();
  }

  /** @param {ApiError} error */
  refuse(error) {
    if (error.field === "story") this.#fold.open();
    return this.#remarks.refuse(error);
  }

  /** Shows a notice, which is no error. @param {string} text */
  notice(text) {
    this.#remarks.notice(text);
  }

  accept() {
    this.#remarks.accept();
  }

  /** @param {{story: string, question: string}} request */
  #fill({ story, question }) {
    this.#story.value = story;
    this.#question.value = question;
  }

  #typed() {
    markChip(box("examples"), `${this.#story.value}\n${this.#question.value}`);
  }

  #update() {
    const { examples, name, summary } = this.#current;
    box("examples-list").replaceChildren(
      ...examples.map((example) =>
        element(
          "button",
          { type: "button", value: example, title: partsOf(example).story, dir: "auto" },
          partsOf(example).question,
        ),
      ),
    );
    box("examples").hidden = examples.length === 0;
    box("facts").textContent = summary;
    this.#fold.name(name);
    this.#typed();
  }
}
