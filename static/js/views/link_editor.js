/** The words of two texts as buttons that link them, and their links as text. */

/** @import {Scene, Settings} from "../core/types" */
/** @import {Link} from "../core/links.js" */

import { goldOf } from "../core/gold_links.js";
import { linkBetween, linksText, parseLinks, pressed, strayLink, wordsOf } from "../core/links.js";
import { direction } from "../core/text.js";
import { html, sayAny } from "../draw/dom.js";

export class LinkEditor {
  #links = html.input({ type: "text", spellcheck: "false", placeholder: "0-0 2-1 3?1" });
  #wrote = html.div({ class: "link-words", role: "group", "aria-label": "Output words" });
  #read = html.div({ class: "link-words", role: "group", "aria-label": "Input words" });
  #fields = html.div({ class: "link-fields" }, html.label(html.span("Links"), this.#links));
  /** Says what is wrong with the links; its owner places it. */
  said = html.p({ class: "note", role: "status" });
  root = html.div({ class: "links-editor" });
  #change;
  #chosen;
  /** The output word whose links are made. */
  #at = 0;
  /** @type {Scene | null} */
  #scene = null;
  /** @type {Link[]} */
  #made = [];

  /** @param {(change: Partial<Settings>) => void} change @param {(at: number) => void} [chosen] called with the output word whose links are made */
  constructor(change, chosen = () => {}) {
    this.#change = change;
    this.#chosen = chosen;
    this.#links.addEventListener("change", () => this.#link(this.#links.value));
    this.#wrote.addEventListener("click", ({ target }) => {
      if (!(target instanceof HTMLButtonElement)) return;
      this.at(Number(target.value));
      this.#chosen(this.#at);
    });
    this.#read.addEventListener("click", ({ target }) => {
      if (target instanceof HTMLButtonElement) this.press(Number(target.value));
    });
    this.root.append(
      html.p(
        { class: "note" },
        "Choose an output word, then press the input words it is linked to: once for a sure link, twice for a possible one.",
      ),
      this.#wrote,
      this.#read,
      this.#fields,
    );
  }

  /** Adds a field beside that of the links. @param {HTMLElement[]} fields */
  add(...fields) {
    this.#fields.append(...fields);
  }

  /** Shows the links of a scene; returns those that fit the texts. @param {Scene} scene @param {string | null} [text] @returns {Link[] | null} */
  draw(scene, text = scene.links) {
    this.#links.value = text ?? "";
    const made = text ? parseLinks(text) : [];
    const stray = made && strayLink(scene.trace.source, scene.output.target, made);
    this.say(
      !made
        ? "Links are pairs of words counted from 0, such as 0-0 2-1; 3?1 is a possible one."
        : stray
          ? `The texts have no words ${stray[0]}-${stray[1]}; words are counted from 0.`
          : "",
    );
    this.#made = made && !stray ? made : [];
    if (scene.output !== this.#scene?.output) this.#at = 0;
    this.#scene = scene;
    if (!this.root.hidden) this.#drawWords();
    return this.#made.length ? this.#made : null;
  }

  /** Goes to an output word. @param {number} place */
  at(place) {
    this.#at = place;
    if (this.#scene) this.#drawWords();
  }

  /** Links an input word to the output word, or changes their link. @param {number} place */
  press(place) {
    this.#link(linksText(pressed(this.#made, [place, this.#at])));
  }

  /** @param {string} text */
  say(text) {
    sayAny(this.said, text);
  }

  #drawWords() {
    const { trace, output } = /** @type {Scene} */ (this.#scene);
    for (const [box, axis, state] of /** @type {const} */ ([
      [this.#wrote, output.target, (/** @type {number} */ place) => String(place === this.#at)],
      [this.#read, trace.source, (/** @type {number} */ place) => this.#stateOf(place)],
    ])) {
      const focused = [...box.children].indexOf(/** @type {Element} */ (document.activeElement));
      box.dir = direction(axis.text);
      box.replaceChildren(
        ...wordsOf(axis).map(({ text }, place) =>
          html.button(
            { type: "button", class: "quiet", value: place, "aria-pressed": state(place) },
            text,
          ),
        ),
      );
      const next = box.children[focused];
      if (next instanceof HTMLElement) next.focus();
    }
  }

  /** Of an input word: linked for sure, possibly (`mixed`), or not. @param {number} place */
  #stateOf(place) {
    const link = linkBetween(this.#made, place, this.#at);
    return link?.[2] ? "mixed" : String(Boolean(link));
  }

  /** Without any, the links of the trace or of an example must not come back: they have been taken off. @param {string} links */
  #link(links) {
    const text = links.trim();
    const given = this.#scene && (this.#scene.trace.links || goldOf(this.#scene));
    this.#change({ links: text || given ? text : null });
  }
}
