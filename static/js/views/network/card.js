/** The numbers of the part that was pressed, beside it. */

/** @import {Numbers} from "./numbers.js" */

import { bars } from "../../shell/bars.js";
import { element } from "../../shell/dom.js";
import { strip } from "../../shell/vector_strip.js";

const GAP = 10;

export class NumbersCard {
  #body = element("div", { class: "network-numbers", role: "status" });
  #close = element("button", { type: "button", class: "icon", "aria-label": "Close" }, "×");

  node = element("div", { class: "network-card" }, this.#body, this.#close);

  /** @param {() => void} close */
  constructor(close) {
    this.node.hidden = true;
    this.#close.addEventListener("click", close);
  }

  hide() {
    this.node.hidden = true;
    this.#body.replaceChildren();
  }

  /** @param {Numbers} numbers @param {number} written id of the token that was written @param {SVGElement} part @param {HTMLElement} frame */
  show({ title, formula, values, vectors, alternatives, note }, written, part, frame) {
    const list = values.flatMap(([name, value]) => [
      element("dt", {}, name),
      element("dd", { class: "number" }, value),
    ]);
    this.#body.replaceChildren(
      element("h3", {}, title),
      ...(values.length ? [element("dl", {}, ...list)] : []),
      ...(formula ? [element("p", { class: "formula" }, formula)] : []),
      ...vectors.map(({ symbol, meaning, vector }) => strip(symbol, meaning, vector)),
      ...(alternatives?.length ? [bars(alternatives, written)] : []),
      ...(note ? [element("p", { class: "note" }, note)] : []),
    );
    this.node.hidden = false;
    this.#place(part, frame);
  }

  /** Beside the part, inside the picture: below it, or above where there is no room below. @param {SVGElement} part @param {HTMLElement} frame */
  #place(part, frame) {
    const [around, at] = [frame.getBoundingClientRect(), part.getBoundingClientRect()];
    const { offsetWidth: width, offsetHeight: height } = this.node;
    const left = Math.min(
      Math.max(at.left - around.left + at.width / 2 - width / 2, 0),
      around.width - width,
    );
    const below = at.bottom - around.top + GAP;
    const above = at.top - around.top - height - GAP;
    const beside = below + height > around.height && above < 0;
    this.node.style.left = `${beside && at.left - around.left > width + GAP ? at.left - around.left - width - GAP : left}px`;
    this.node.style.top = `${Math.max(beside ? Math.max(0, around.height - height) : below + height <= around.height || above < 0 ? below : above, 0)}px`;
  }
}
