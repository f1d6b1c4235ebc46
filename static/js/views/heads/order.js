/** The order of the heads, and the linked words that alignment is measured with. */

/** @import {HeadOrder, Scene, Settings} from "../../core/types" */
/** @import {Link} from "../../core/links.js" */
/** @import {Pair} from "./pairs_file.js" */

import { strayLink } from "../../core/head_measures.js";
import { linksText, parseLinks, toggled, wordsOf } from "../../core/links.js";
import { direction } from "../../core/text.js";
import { fill, html, sayAny } from "../../draw/dom.js";
import { MEASURES } from "./model.js";
import { pairsField } from "./pairs_file.js";

export class OrderChoice {
  root = html.div({ class: "heads-order" });
  #order = html.select({ name: "head-order" });
  #links = html.input({ type: "text", spellcheck: "false", placeholder: "0-0 2-1" });
  #wrote = html.div({ class: "link-words", role: "group", "aria-label": "Output words" });
  #read = html.div({ class: "link-words", role: "group", "aria-label": "Input words" });
  #editor = html.div({ class: "links-editor" });
  #said = html.p({ class: "note", role: "status" });
  #change;
  /** The output word whose links are made. */
  #at = 0;
  /** @type {Scene | null} */
  #scene = null;
  /** @type {Link[]} */
  #made = [];

  /**
   * @param {(change: Partial<Settings>) => void} change
   * @param {((pairs: Pair[]) => void) | null} measure measures the heads with the pairs of a file; null where there is no server
   */
  constructor(change, measure) {
    this.#change = change;
    this.#order.addEventListener("change", () =>
      change({ order: /** @type {HeadOrder} */ (this.#order.value) }),
    );
    this.#links.addEventListener("change", () => this.#link(this.#links.value));
    this.#wrote.addEventListener("click", ({ target }) => {
      if (!(target instanceof HTMLButtonElement)) return;
      this.#at = Number(target.value);
      this.#drawWords();
    });
    this.#read.addEventListener("click", ({ target }) => {
      if (target instanceof HTMLButtonElement)
        this.#link(linksText(toggled(this.#made, [Number(target.value), this.#at])));
    });
    this.#editor.append(
      html.p({ class: "note" }, "Choose an output word, then the input words it is linked to."),
      this.#wrote,
      this.#read,
      html.div(
        { class: "link-fields" },
        html.label(html.span("Links"), this.#links),
        measure && pairsField(measure, (message) => this.say(message)),
      ),
    );
    this.root.append(html.label(html.span("Order"), this.#order), this.#editor, this.#said);
  }

  /**
   * Shows the order and the links; returns the links that fit the texts.
   * @param {Scene} scene @param {Settings} settings @returns {Link[] | null}
   */
  draw(scene, { order, links }) {
    const aligns = scene.picked?.kind === "cross";
    const measures = Object.entries(MEASURES).filter(([name]) => aligns || name !== "alignment");
    fill(
      this.#order,
      [["layer", "by layer"], ...measures].map(([value, text]) => ({ value, text })),
      aligns || order !== "alignment" ? order : "layer",
    );
    this.#editor.hidden = order !== "alignment" || !aligns;
    this.#links.value = links ?? "";
    const made = links ? parseLinks(links) : [];
    const { trace, output } = scene;
    const stray = made && strayLink(trace.source, output.target, made);
    this.say(
      !made
        ? "Links are pairs of words counted from 0, such as 0-0 2-1."
        : stray
          ? `The texts have no words ${stray.join("-")}; words are counted from 0.`
          : "",
    );
    this.#made = made && !stray ? made : [];
    if (scene.output !== this.#scene?.output) this.#at = 0;
    this.#scene = scene;
    if (!this.#editor.hidden) this.#drawWords();
    return this.#made.length ? this.#made : null;
  }

  /** @param {string} text */
  say(text) {
    sayAny(this.#said, text);
  }

  #drawWords() {
    const { trace, output } = /** @type {Scene} */ (this.#scene);
    for (const [box, axis, pressed] of /** @type {const} */ ([
      [this.#wrote, output.target, (/** @type {number} */ place) => place === this.#at],
      [
        this.#read,
        trace.source,
        (/** @type {number} */ place) =>
          this.#made.some(([read, wrote]) => read === place && wrote === this.#at),
      ],
    ])) {
      const focused = [...box.children].indexOf(/** @type {Element} */ (document.activeElement));
      box.dir = direction(axis.text);
      box.replaceChildren(
        ...wordsOf(axis).map(({ text }, place) =>
          html.button(
            {
              type: "button",
              class: "quiet",
              value: place,
              "aria-pressed": String(pressed(place)),
            },
            text,
          ),
        ),
      );
      const next = box.children[focused];
      if (next instanceof HTMLElement) next.focus();
    }
  }

  /** @param {string} links */
  #link(links) {
    this.#change({ links: links.trim() || null });
  }
}
