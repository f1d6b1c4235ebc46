/** The bar of a presentation: the steps, the view, and the ways to show them. */

/** @import {Action} from "../core/presentation.js" */

import { box, element, fill, say } from "../draw/dom.js";

export class PresentationBar {
  #view = element("select", { "aria-label": "View" });
  #place = element("span", { class: "place number" });
  /** @type {Record<string, HTMLButtonElement>} */
  #buttons;
  node;

  /** @param {(action: Action) => void} act */
  constructor(act) {
    const button = (/** @type {Action} */ action, /** @type {string} */ text, name = "") => {
      const made = element("button", { type: "button", "aria-label": name || null }, text);
      made.addEventListener("click", () => act(action));
      return made;
    };
    const full = element("button", { type: "button" }, "Full screen");
    full.addEventListener("click", () => void fullScreen());
    this.#buttons = {
      back: button("back", "‹", "Previous step"),
      forward: button("forward", "›", "Next step"),
      guess: button("guess", "Guess first"),
      laser: button("laser", "Pointer"),
      full,
      leave: button("leave", "Exit"),
    };
    const { back, forward, guess, laser, leave } = this.#buttons;
    this.node = element(
      "div",
      { class: "present-bar", role: "toolbar", "aria-label": "Presentation" },
      back,
      this.#place,
      forward,
      this.#view,
      guess,
      laser,
      full,
      leave,
    );
    guess.title = "Hide the next word until you go on (G)";
    laser.title = "A highlight that follows the pointer (L)";
    this.#view.addEventListener("change", () => {
      const radio = box("view").querySelector(`input[value="${this.#view.value}"]`);
      if (radio instanceof HTMLInputElement) radio.click();
    });
    new MutationObserver(() => this.#count()).observe(box("place"), { childList: true });
  }

  /** @param {boolean} guessing @param {boolean} pointing */
  draw(guessing, pointing) {
    const inputs = /** @type {HTMLInputElement[]} */ ([...box("view").querySelectorAll("input")]);
    const offered = inputs.filter((input) => !input.closest("label")?.hidden);
    fill(
      this.#view,
      offered.map((input) => ({
        value: input.value,
        text: input.closest("label")?.textContent?.trim() ?? "",
      })),
      offered.find(({ checked }) => checked)?.value ?? "",
    );
    this.#buttons.guess.setAttribute("aria-pressed", String(guessing));
    this.#buttons.laser.setAttribute("aria-pressed", String(pointing));
    this.#buttons.full.hidden = !document.fullscreenEnabled || document.fullscreenElement !== null;
    this.#count();
  }

  #count() {
    say(this.#place, box("place").textContent ?? "");
  }
}

/** Takes the whole screen where the browser allows it; the large type does without. */
async function fullScreen() {
  try {
    await document.documentElement.requestFullscreen?.();
  } catch {
    // Refused, or not pressed by a person: the presentation fills the window.
  }
}
