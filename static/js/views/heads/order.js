/** The order of the heads, and the linked words that alignment is measured with. */

/** @import {HeadOrder, Scene, Settings} from "../../core/types" */
/** @import {Link} from "../../core/links.js" */
/** @import {Pair} from "./pairs_file.js" */

import { fill, html } from "../../draw/dom.js";
import { LinkEditor } from "../link_editor.js";
import { MEASURES } from "./model.js";
import { pairsField } from "./pairs_file.js";

export class OrderChoice {
  root = html.div({ class: "heads-order" });
  #order = html.select({ name: "head-order" });
  #editor;

  /**
   * @param {(change: Partial<Settings>) => void} change
   * @param {((pairs: Pair[]) => void) | null} measure measures the heads with the pairs of a file; null where there is no server
   */
  constructor(change, measure) {
    this.#order.addEventListener("change", () =>
      change({ order: /** @type {HeadOrder} */ (this.#order.value) }),
    );
    this.#editor = new LinkEditor(change);
    if (measure) this.#editor.add(pairsField(measure, (message) => this.say(message)));
    this.root.append(
      html.label(html.span("Order"), this.#order),
      this.#editor.root,
      this.#editor.said,
    );
  }

  /**
   * Shows the order and the links; returns the links that fit the texts.
   * @param {Scene} scene @param {Settings} settings @returns {Link[] | null}
   */
  draw(scene, { order }) {
    const aligns = scene.picked?.kind === "cross";
    const measures = Object.entries(MEASURES).filter(([name]) => aligns || name !== "alignment");
    fill(
      this.#order,
      [["layer", "by layer"], ...measures].map(([value, text]) => ({ value, text })),
      aligns || order !== "alignment" ? order : "layer",
    );
    this.#editor.root.hidden = order !== "alignment" || !aligns;
    return this.#editor.draw(scene);
  }

  /** @param {string} text */
  say(text) {
    this.#editor.say(text);
  }
}
