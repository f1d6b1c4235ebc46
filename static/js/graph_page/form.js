/** The form of the page of graphs: the text of the graph, examples and the model. */

/** @import {ApiError} from "../core/api.js" */
/** @import {GraphSettings, Model} from "../core/types" */

import { graphBody, titleOf } from "../core/graph_request.js";
import { box, byId, element } from "../shell/dom.js";
import { Fold } from "../shell/fold.js";
import { Remarks, fillFromChips, markChip, modelNamed } from "../shell/fields.js";

export class GraphForm {
  #graph = byId("graph", HTMLTextAreaElement);
  #model = byId("model", HTMLSelectElement);
  #remarks = new Remarks({ graph: this.#graph });
  #fold = new Fold(this.#graph);
  #models;
  #send;
  #current;

  /** @param {Model[]} models @param {(change: Partial<GraphSettings>) => void} send */
  constructor(models, send) {
    this.#models = models;
    this.#send = send;
    this.#current = models[0];
    byId("ask", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submitted();
    });
    this.#graph.addEventListener("input", () => this.#typed());
    // Enter begins another line, so this submits.
    this.#graph.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#submitted();
    });
    this.#model.addEventListener("change", () => {
      this.#current = this.#models.find(({ id }) => id === this.#model.value) ?? this.#current;
      this.submit();
    });
    fillFromChips("examples-list", this.#graph, () => this.#submitted());
  }

  get model() {
    return this.#current;
  }

  submit() {
    this.#send({ model: this.#current.id, graph: this.#graph.value, step: null });
    this.#update();
  }

  /** Shows settings that came from the address bar. @param {GraphSettings} settings */
  set(settings) {
    this.#current = modelNamed(this.#models, settings.model);
    this.#model.value = this.#current.id;
    this.#graph.value = graphBody(settings, this.#current).graph;
    this.#update();
  }

  /** @param {ApiError} error */
  refuse(error) {
    const ofGraph = error.field !== null && error.field !== "model";
    return this.#remarks.refuse(error, ofGraph ? "graph" : error.field);
  }

  /** Shows a notice, which is no error. @param {string} text */
  notice(text) {
    this.#remarks.notice(text);
  }

  accept() {
    this.#remarks.accept();
  }

  #submitted() {
    this.#fold.close();
    this.submit();
  }

  #typed() {
    markChip(box("examples"), this.#graph.value);
  }

  #update() {
    const { examples, name, summary } = this.#current;
    box("examples-list").replaceChildren(
      ...examples.map((text) =>
        element("button", { type: "button", value: text, dir: "auto" }, titleOf(text)),
      ),
    );
    box("examples").hidden = examples.length === 0;
    box("facts").textContent = summary;
    this.#fold.name(name);
    this.#typed();
  }
}
