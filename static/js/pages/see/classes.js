/** The classes that the model thinks likeliest. */

/** @import {PatchScene} from "../../core/types" */

import { Bars } from "../../draw/bars.js";
import { box, say, sayAny } from "../../draw/dom.js";

export class Classes {
  #bars = new Bars();

  constructor() {
    box("classes").append(this.#bars.node);
  }

  /** @param {PatchScene} scene */
  draw({ trace, model }) {
    const [step] = trace.steps;
    const alternatives = step?.alternatives ?? [];
    box("classes-side").hidden = !alternatives.length;
    say(box("class"), trace.text);
    this.#bars.show(alternatives, alternatives[0]?.id ?? -1);
    sayAny(box("learned"), model.learned_from && `Learned from ${model.learned_from}.`);
  }
}
