/** Why one word and not another: the other word is chosen among the alternatives, or typed. */

/** @import {Contrast} from "../../core/wire" */
/** @import {Now} from "./report.js" */

import { html } from "../../draw/dom.js";
import { OnDemand } from "./on_demand.js";
import { contrastCsv, otherWords } from "./contrast_model.js";

let forms = 0;

export class ContrastFigure extends OnDemand {
  #words = html.datalist({ id: `audit-others-${++forms}` });
  #other = html.input({
    type: "text",
    list: `audit-others-${forms}`,
    maxlength: 1000,
    autocomplete: "off",
  });
  #chosen = html.span();
  #suggested = html.span({ class: "audit-suggested" });
  #ask = html.button({ type: "submit", class: "quiet" }, "Compare");
  #form = html.form({ class: "audit-choices" }, [
    html.label(html.span({ class: "audit-why" }, "Why ", this.#chosen, " and not "), this.#other),
    this.#words,
    this.#suggested,
    this.#ask,
  ]);
  /** @type {Now | null} */
  #now = null;
  #row = -1;

  constructor() {
    super(
      "Contrast",
      "The difference of the effects of a key on both words, in bits. Keys that raise both words alike cancel out.",
    );
    this.controls.prepend(this.#form);
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#compare(this.#other.value.trim());
    });
  }

  /** @param {Now} now @param {number} row the token that is selected */
  draw(now, row) {
    const moved = this.#row >= 0 && row !== this.#row;
    this.#now = now;
    this.#row = row;
    const { target, steps } = now.asked.output;
    const word = target.words[target.tokens[row]?.word];
    if (!word || word.special) {
      this.root.hidden = true;
      return this.forget();
    }
    this.root.hidden = false;
    this.#chosen.replaceChildren(html.b(`“${word.text}”`));
    const others = otherWords(target, steps, row);
    this.#words.replaceChildren(...others.map((value) => html.option({ value })));
    this.#suggested.replaceChildren(
      ...others.slice(0, 3).map((other) =>
        html.button(
          {
            type: "button",
            class: "quiet",
            onclick: () => this.#compare(other),
          },
          other,
        ),
      ),
    );
    const { against } = now.asked.settings;
    if (moved) return this.forget();
    if (against === null) return;
    this.#contrast(now, row, against);
  }

  /** Compares with a word. @param {string} against */
  #compare(against) {
    const now = this.#now;
    if (!now || !against) return;
    // The setting stays with another row, so that the same word changes nothing.
    if (against === now.asked.settings.against) this.#contrast(now, this.#row, against);
    else now.asked.change({ against });
  }

  /** @param {Now} now @param {number} row @param {string} against */
  #contrast(now, row, against) {
    this.#other.value = against;
    void this.ask(
      now,
      { figure: "contrast", row, other: against },
      { drawn: (contrast) => this.#show(now, contrast), csv: contrastCsv },
    );
  }

  /** @param {Now} now @param {Contrast} contrast */
  #show(now, contrast) {
    this.result.replaceChildren(
      ...contrast.verdict.map((sentence) => html.p(sentence)),
      ...now.asked.contrast(contrast),
    );
  }
}
