/** The numbers of the part that was pressed, beside it. */

/** @import {Numbers} from "./numbers.js" */

import { bars } from "../../draw/bars.js";
import { html } from "../../draw/dom.js";
import { strip } from "../../draw/vector_strip.js";

const GAP = 10;
/** The distance from the context. */
const ASIDE = 48;

export class NumbersCard {
  #body = html.div({ class: "network-numbers", role: "status" });
  #close = html.button({ type: "button", class: "icon", "aria-label": "Close" }, "×");

  node = html.div({ class: "network-card" }, this.#body, this.#close);

  /** @param {() => void} close */
  constructor(close) {
    this.node.hidden = true;
    this.#close.addEventListener("click", close);
  }

  hide() {
    this.node.hidden = true;
    this.#body.replaceChildren();
  }

  /**
   * @param {Numbers} numbers @param {number} written id of the token that was written
   * @param {SVGElement} part @param {HTMLElement} frame @param {number} focus the place of the context in the frame, which stays in sight
   */
  show({ title, formula, values, vectors, alternatives, note }, written, part, frame, focus) {
    const list = values.flatMap(([name, value]) => [
      html.dt(name),
      html.dd({ class: "number" }, value),
    ]);
    this.#body.replaceChildren(
      html.h3(title),
      ...(values.length ? [html.dl(list)] : []),
      ...(formula ? [html.p({ class: "formula" }, formula)] : []),
      ...vectors.map(({ symbol, meaning, vector }) => strip(symbol, meaning, vector)),
      ...(alternatives?.length ? [bars(alternatives, written)] : []),
      ...(note ? [html.p({ class: "note" }, note)] : []),
    );
    this.node.hidden = false;
    this.#place(part.getBoundingClientRect(), frame.getBoundingClientRect(), focus);
  }

  /** Below or above the part, and beside the context if there is room. @param {DOMRect} at @param {DOMRect} around @param {number} focus */
  #place(at, around, focus) {
    const { offsetWidth: width, offsetHeight: height } = this.node;
    const middle = at.left - around.left + at.width / 2 - width / 2;
    const [right, left] = [focus + ASIDE, focus - ASIDE - width];
    const beside =
      right + width <= around.width
        ? Math.max(middle, right)
        : left >= 0
          ? Math.min(middle, left)
          : middle;
    const [above, below] = [at.top - around.top - height - GAP, at.bottom - around.top + GAP];
    const top = below + height <= around.height || above < 0 ? below : above;
    this.node.style.left = `${Math.max(0, Math.min(beside, around.width - width))}px`;
    this.node.style.top = `${Math.max(0, Math.min(top, around.height - height))}px`;
  }
}
