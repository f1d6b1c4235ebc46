/** The most probable tokens of a step, with a bar for each probability. */

/** @import {Alternative} from "../core/types" */

import { heading, percent } from "../core/text.js";
import { html, say } from "./dom.js";

export class Bars {
  node = html.ol({ class: "bars" });

  /** Shows these alternatives instead of the previous ones. @param {Alternative[]} alternatives @param {number} written id of the token that was written */
  show(alternatives, written) {
    while (this.node.children.length > alternatives.length) this.node.lastElementChild?.remove();
    while (this.node.children.length < alternatives.length) this.node.append(line());
    for (const [index, { id, text, probability }] of alternatives.entries()) {
      const at = this.node.children[index];
      const [label, meter, number] = /** @type {HTMLElement[]} */ ([...at.children]);
      const { text: shown, quiet } = heading({
        text,
        start: 0,
        end: 0,
        special: /^<.+>$/.test(text),
      });
      at.toggleAttribute("data-written", id === written);
      if (quiet) label.dataset.quiet = quiet;
      else delete label.dataset.quiet;
      say(label, shown);
      meter.style.setProperty("--share", String(probability));
      say(number, percent(probability));
    }
    return this.node;
  }
}

function line() {
  return html.li(
    html.span({ class: "bar-label", dir: "auto" }),
    html.span({ class: "bar", "aria-hidden": "true" }),
    html.span({ class: "number" }),
  );
}

/** Static bars. @param {Alternative[]} alternatives @param {number} written */
export const bars = (alternatives, written) => new Bars().show(alternatives, written);
