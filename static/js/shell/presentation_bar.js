/** The bar of a presentation: the steps, the view, and the ways to show them. */

/** @import {Action} from "../core/presentation.js" */
/** @import {View} from "../core/views.js" */

import { fill, html, say } from "../draw/dom.js";

export class PresentationBar {
  #view = html.select({ "aria-label": "View" });
  #place = html.span({ class: "place number" });
  #guess;
  #laser;
  #full;
  node;

  /** @param {(action: Action) => void} act @param {(view: string) => void} choose shows another view */
  constructor(act, choose) {
    const button = (/** @type {Action} */ action, /** @type {string} */ text, name = "") => {
      const made = html.button({ type: "button", "aria-label": name || null }, text);
      made.addEventListener("click", () => act(action));
      return made;
    };
    this.#full = html.button({ type: "button" }, "Full screen");
    this.#full.addEventListener("click", () => void fullScreen());
    this.#guess = button("guess", "Guess first");
    this.#laser = button("laser", "Pointer");
    const code = button("code", "QR code");
    this.node = html.div(
      { class: "present-bar", role: "toolbar", "aria-label": "Presentation" },
      button("back", "‹", "Previous step"),
      this.#place,
      button("forward", "›", "Next step"),
      this.#view,
      this.#guess,
      this.#laser,
      code,
      this.#full,
      button("leave", "Exit"),
    );
    this.#guess.title = "Hide the next word until you go on (G)";
    code.title = "The address of this page, for the cameras of the audience (Q)";
    this.#laser.title = "A highlight that follows the pointer (L)";
    this.#view.addEventListener("change", () => choose(this.#view.value));
  }

  /** @param {{views: View[], view: string, place: string, guessing: boolean, pointing: boolean}} now */
  draw({ views, view, place, guessing, pointing }) {
    fill(
      this.#view,
      views.map(({ name, title }) => ({ value: name, text: title })),
      view,
    );
    this.#guess.setAttribute("aria-pressed", String(guessing));
    this.#laser.setAttribute("aria-pressed", String(pointing));
    this.#full.hidden = !document.fullscreenEnabled || document.fullscreenElement !== null;
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
