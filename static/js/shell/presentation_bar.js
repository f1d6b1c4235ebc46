/** The bar of a presentation: the steps, the view, and the ways to show them. */

/** @import {Action} from "../core/presentation.js" */
/** @import {View} from "../core/views.js" */

import { element, fill, say } from "../draw/dom.js";

export class PresentationBar {
  #view = element("select", { "aria-label": "View" });
  #place = element("span", { class: "place number" });
  /** @type {Record<string, HTMLButtonElement>} */
  #buttons;
  node;

  /** @param {(action: Action) => void} act @param {(view: string) => void} choose shows another view */
  constructor(act, choose) {
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
    this.#view.addEventListener("change", () => choose(this.#view.value));
  }

  /** @param {{views: View[], view: string, place: string, guessing: boolean, pointing: boolean}} now */
  draw({ views, view, place, guessing, pointing }) {
    fill(
      this.#view,
      views.map(({ name, title }) => ({ value: name, text: title })),
      view,
    );
    this.#buttons.guess.setAttribute("aria-pressed", String(guessing));
    this.#buttons.laser.setAttribute("aria-pressed", String(pointing));
    this.#buttons.full.hidden = !document.fullscreenEnabled || document.fullscreenElement !== null;
    say(this.#place, place);
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
