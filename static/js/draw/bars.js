/** The most probable tokens of a step, with a bar for each probability. */

/** @import {Alternative} from "../core/types" */
/** @typedef {[label: HTMLElement, meter: HTMLElement, number: HTMLElement]} Parts */

import { heading, percent } from "../core/text.js";
import { html, say } from "./dom.js";

/** The lines of a list of alternatives. @param {Alternative[]} alternatives @param {number} written id of the token that was written */
export const barLines = (alternatives, written) =>
  alternatives.map(({ id, text, probability }) => ({
    ...heading({ text, start: 0, end: 0, special: /^<.+>$/.test(text) }),
    chosen: id === written,
    probability,
  }));

export class Bars {
  node = html.ol({ class: "bars" });

  /** Shows these alternatives instead of the previous ones. @param {Alternative[]} alternatives @param {number} written id of the token that was written */
  show(alternatives, written) {
    while (this.node.children.length > alternatives.length) this.node.lastElementChild?.remove();
    for (const [index, line] of barLines(alternatives, written).entries()) {
      const { text, quiet, chosen, probability } = line;
      const at = this.node.children[index] ?? this.node.appendChild(emptyLine());
      const [label, meter, number] = /** @type {Parts} */ ([...at.children]);
      at.toggleAttribute("data-written", chosen);
      if (quiet) label.dataset.quiet = quiet;
      else delete label.dataset.quiet;
      say(label, text);
      meter.style.setProperty("--share", String(probability));
      say(number, percent(probability));
    }
    return this.node;
  }
}

function emptyLine() {
  return html.li(
    html.span({ class: "bar-label", dir: "auto" }),
    html.span({ class: "bar", "aria-hidden": "true" }),
    html.span({ class: "number" }),
  );
}

/** Static bars. @param {Alternative[]} alternatives @param {number} written */
export const bars = (alternatives, written) => new Bars().show(alternatives, written);
