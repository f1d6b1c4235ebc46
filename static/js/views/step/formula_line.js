/** A formula whose symbols show their values in this step, under the pointer and with the keyboard. */

/** @import {Formula, Symbol} from "./model.js" */
/** @import {Tooltip} from "../../draw/tooltip.js" */

import { html, say } from "../../draw/dom.js";

/** The formula that each line shows, without the values. @type {WeakMap<HTMLElement, string>} */
const shown = new WeakMap();

/** Shows a formula in a line. @param {HTMLElement} line @param {Formula} pieces */
export function showFormula(line, pieces) {
  const symbols = pieces
    .map((piece) => (typeof piece === "string" ? piece : piece.symbol))
    .join("");
  if (shown.get(line) !== symbols) {
    shown.set(line, symbols);
    line.replaceChildren(
      ...pieces.map((piece) => (typeof piece === "string" ? piece : symbolOf(piece))),
    );
  }
  // Only the meanings change: the symbols stay, and so does the keyboard focus.
  const all = pieces.flatMap((piece) => (typeof piece === "string" ? [] : piece));
  for (const [index, node] of line.querySelectorAll(".symbol").entries()) {
    const { symbol, meaning } = all[index];
    node.setAttribute("aria-label", `${symbol}: ${meaning}`);
    say(/** @type {HTMLElement} */ (node.querySelector(".meaning")), `: ${meaning} `);
  }
}

/** @param {Symbol} piece */
const symbolOf = ({ symbol }) =>
  html.span(
    { class: "symbol", role: "img", tabindex: 0 },
    symbol,
    html.span({ class: "visually-hidden meaning" }),
  );

/** The meaning of the symbol under the pointer, or of the one with the keyboard focus. */
export class SymbolNotes {
  #tooltip;
  /** @type {Element | null} */
  #pointed = null;

  /** @param {HTMLElement} box of the formulas @param {Tooltip} tooltip */
  constructor(box, tooltip) {
    this.#tooltip = tooltip;
    for (const name of ["pointerover", "focusin"])
      box.addEventListener(name, ({ target }) =>
        this.#point(target instanceof Element ? target.closest(".symbol") : null),
      );
    for (const name of ["pointerleave", "focusout"])
      box.addEventListener(name, () => this.#point(null));
  }

  /** True while a symbol is explained. */
  get explains() {
    return this.#pointed !== null;
  }

  /** @param {Element | null} symbol */
  #point(symbol) {
    this.#pointed = symbol;
    this.explain();
  }

  /** Shows the meaning in the current step. */
  explain() {
    const meaning = this.#pointed?.querySelector(".meaning")?.textContent?.slice(2);
    if (this.#pointed?.isConnected && meaning)
      this.#tooltip.explain(meaning, this.#pointed.getBoundingClientRect());
    else this.#tooltip.hide();
  }
}
