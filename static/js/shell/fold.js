/** The form, folded to one line: the field, the name of the model and a button that opens the rest. */

import { box, byId } from "../draw/dom.js";

export class Fold {
  #form = byId("ask", HTMLFormElement);
  #button = byId("change", HTMLButtonElement);
  #field;

  /** @param {HTMLTextAreaElement | null} field which opens the form when it is used; null if there is none */
  constructor(field) {
    this.#field = field;
    this.#button.addEventListener("click", () => (this.#folded ? this.open() : this.close()));
    if (field) this.#openFrom(field);
    document.getElementById("search")?.addEventListener("toggle", ({ target }) => {
      if (/** @type {HTMLDetailsElement} */ (target).open) this.open();
    });
    this.#form.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.isComposing && !this.#folded) this.close();
    });
  }

  /** @param {HTMLTextAreaElement} field */
  #openFrom(field) {
    for (const name of ["click", "input"]) field.addEventListener(name, () => this.open());
    // A window that is entered again gives its focus back to the field.
    let left = false;
    addEventListener("blur", () => (left = document.activeElement === field));
    field.addEventListener("focus", () => {
      if (!left) this.open();
      left = false;
    });
  }

  get #folded() {
    return this.#form.hasAttribute("data-folded");
  }

  open() {
    this.#set(false);
  }

  close() {
    const focused = document.activeElement;
    this.#set(true);
    // A hidden element would lose the keyboard's focus to the top of the page.
    if (this.#form.contains(focused) && !focused?.getClientRects().length) this.#button.focus();
    // On a phone the keyboard would hide the answer.
    if (matchMedia("(pointer: coarse)").matches) this.#field?.blur();
  }

  /** @param {string} name of the model */
  name(name) {
    box("model-now").textContent = name;
  }

  /** @param {boolean} folded */
  #set(folded) {
    this.#form.toggleAttribute("data-folded", folded);
    this.#button.setAttribute("aria-expanded", String(!folded));
    this.#button.textContent = folded ? "Change" : "Close";
  }
}
