/** Explains a term of the glossary on hover, on focus and by touch. Loaded after the first drawing. */

import { html } from "../draw/dom.js";

const MARGIN = 8;
/** Time to move the pointer from a term to its explanation. */
const LEAVING_MS = 200;

/** Starts to explain the terms of the page, those of later sentences too. */
export function explainTerms() {
  const explanation = new Explanation();
  const termAt = (/** @type {Event} */ { target }) =>
    target instanceof Element ? target.closest(".term") : null;
  addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    const term = termAt(event);
    if (term) explanation.show(term);
    else if (explanation.holds(event.target)) explanation.stay();
    else explanation.leave();
  });
  addEventListener("focusin", (event) => {
    const term = termAt(event);
    if (term?.matches(":focus-visible")) explanation.show(term);
  });
  addEventListener("focusout", (event) => {
    if (termAt(event)) explanation.hide();
  });
  addEventListener("click", (event) => {
    const term = termAt(event);
    if (term) explanation.show(term);
    else if (!explanation.holds(event.target)) explanation.hide();
  });
  // Before the page itself: Escape closes the explanation and clears no selection, Space plays nothing.
  addEventListener(
    "keydown",
    (event) => {
      const term = termAt(event);
      if (term && (event.key === "Enter" || event.key === " ")) explanation.show(term);
      else if (event.key !== "Escape" || !explanation.hide()) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
  addEventListener("scroll", () => explanation.hide(), { capture: true, passive: true });
}

class Explanation {
  // Hidden from screen readers: they read the description of the term itself.
  #box = html.div({ class: "explanation", "aria-hidden": "true", hidden: true });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #leaving;
  /** @type {Element | null} */
  #term = null;

  constructor() {
    document.body.append(this.#box);
  }

  /** @param {Element} term */
  show(term) {
    this.stay();
    const meaning = document.getElementById(term.getAttribute("aria-describedby") ?? "");
    if (!meaning || this.#term === term) return;
    this.#term = term;
    this.#box.textContent = meaning.textContent;
    this.#box.hidden = false;
    this.#place(term.getBoundingClientRect());
  }

  /** Stays where it is while the pointer is on it. */
  stay() {
    clearTimeout(this.#leaving);
  }

  leave() {
    if (this.#box.hidden || document.activeElement === this.#term) return;
    clearTimeout(this.#leaving);
    this.#leaving = setTimeout(() => this.hide(), LEAVING_MS);
  }

  /** Returns true if it was shown. */
  hide() {
    const shown = !this.#box.hidden;
    this.stay();
    this.#term = null;
    this.#box.hidden = true;
    return shown;
  }

  /** @param {EventTarget | null} target */
  holds(target) {
    return target instanceof Node && this.#box.contains(target);
  }

  /** Above the term, or below it where there is no room. @param {DOMRect} term */
  #place(term) {
    const { width, height } = this.#box.getBoundingClientRect();
    const left = term.left + term.width / 2 - width / 2;
    const above = term.top - height - MARGIN;
    const most = document.documentElement.clientWidth - width - MARGIN;
    this.#box.style.left = `${Math.max(MARGIN, Math.min(left, most))}px`;
    this.#box.style.top = `${above < MARGIN ? term.bottom + MARGIN : above}px`;
  }
}
