/** The pieces of the word that a step shows: each is written by itself, and has numbers of its own. */

/** @import {PictureScene, Scene} from "../core/types" */
/** @import {Part, PartWiring} from "./types" */

import { heading } from "../core/text.js";
import { items } from "../core/trace.js";
import { box, html } from "../draw/dom.js";

/** @implements {Part<Scene | PictureScene, any>} */
export class PieceChoice {
  #node = html.span({ class: "piece-choice note", role: "group", hidden: true });
  #change;

  /** @param {Pick<PartWiring<any>, "change">} wiring */
  constructor({ change }) {
    this.#change = change;
    box("sentence").after(this.#node);
  }

  /** @param {Scene | PictureScene} scene @param {number} row */
  settle(scene, row) {
    const { tokens = [] } = scene.rows[row] ?? {};
    // A word in pieces is known once its last part is.
    const offers = scene.parts > 1 && scene.part === scene.parts - 1 && tokens.length > 1;
    this.#node.hidden = !offers;
    if (!offers) return;
    const focused = this.#node.contains(document.activeElement);
    const reads = "view" in scene && scene.view.rowAxis === "source";
    const axis = reads ? scene.trace.source : scene.output.target;
    const pieces = items(axis, "subwords");
    this.#node.setAttribute("aria-label", "The piece whose step is shown");
    this.#node.replaceChildren(
      html.span(`in ${tokens.length} pieces:`),
      ...tokens.map((token) =>
        html.button(
          {
            type: "button",
            class: "quiet",
            "aria-pressed": String(token === scene.pieces[row]),
            onclick: () => this.#change({ step: token, part: null }),
          },
          html.bdi(pieces[token] && heading(pieces[token]).text),
        ),
      ),
    );
    if (focused)
      /** @type {HTMLElement} */ (this.#node.querySelector("[aria-pressed=true]")).focus();
  }
}
