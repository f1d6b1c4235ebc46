/** The words that the network expected in the place of the current one, and the perplexity of the sentence. */

/** @import {Scene} from "../../core/types" */

import { perplexity } from "../../core/reading_scene.js";
import { named, percent } from "../../core/text.js";
import { Bars } from "../../draw/bars.js";
import { box, say } from "../../draw/dom.js";

export class Expected {
  #bars = new Bars();

  constructor() {
    box("expected").append(this.#bars.node);
  }

  /** @param {Scene} scene */
  draw({ trace }) {
    const { steps } = trace;
    say(
      box("perplexity"),
      steps.length ? `Perplexity of the sentence: ${perplexity(steps).toFixed(1)}` : "",
    );
  }

  /** @param {Scene} scene @param {number} row */
  at({ trace, rows }, row) {
    const step = trace.steps[row];
    const token = trace.target.tokens[row];
    box("expected").hidden = box("expected-name").hidden = box("own-word").hidden = !step;
    const item = rows[row];
    if (!step || !token || !item) return;
    const word = named(item);
    say(
      box("expected-name"),
      row ? `Expected where ${word} stands` : `Expected at first, where ${word} stands`,
    );
    this.#bars.show(step.alternatives, token.id);
    const chance = `${percent(step.probability)}, ${step.surprise.toFixed(1)} bits of surprise`;
    say(box("own-word"), `The word itself: ${chance}.`);
  }
}
