/** The answer, and the likeliest answers if the network stopped after the current hop. */

/** @import {StoryScene} from "../../core/types" */

import { Bars } from "../../draw/bars.js";
import { percent } from "../../core/text.js";
import { box, say, sayAny } from "../../draw/dom.js";

export class Answer {
  #bars = new Bars();

  /** @param {StoryScene} scene */
  draw({ trace }) {
    say(box("answer"), trace.text);
    sayAny(box("answer-before"), trace.request.edits?.length ? beforeOf(trace) : "");
  }

  /** @param {StoryScene} scene @param {number} row */
  at({ trace, rows }, row) {
    const alternatives = trace.steps[row]?.alternatives ?? [];
    const written = trace.steps.at(-1)?.alternatives[0]?.id ?? -1;
    box("answers-name").hidden = !alternatives.length;
    say(
      box("answers-name"),
      row === rows.length - 1 ? "After the last hop" : `If it stopped after hop ${row + 1}`,
    );
    const shown = this.#bars.show(alternatives, written);
    // Only now, as the bars that the server sent hold their place until then.
    if (!shown.isConnected) box("answers").replaceChildren(shown);
  }
}

/** The answer without the edits. @param {StoryScene["trace"]} trace */
function beforeOf({ baseline }) {
  if (!baseline) return "";
  const best = baseline.steps.at(-1)?.alternatives[0];
  return `Without the edits: ${baseline.text}${best ? ` (${percent(best.probability)})` : ""}`;
}
