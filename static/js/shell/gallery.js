/** The sample photos as buttons, with the user's own beside them. */

import { YOURS } from "../core/grid_state.js";
import { around, box, html } from "../draw/dom.js";
import { photoOf } from "./samples.js";

export class Gallery {
  #box = box("gallery");
  #own = html.button({ type: "button", value: YOURS });
  /** @type {string | null} */
  #sample = null;

  /** @param {(sample: string) => void} choose */
  constructor(choose) {
    this.#box.addEventListener("click", (event) => {
      const pressed = around(event, "button");
      if (pressed) choose(pressed.value);
    });
  }

  /** Marks the photo on screen. @param {string | null} sample */
  mark(sample) {
    this.#sample = sample;
    const chosen = photoOf(sample);
    for (const button of this.#box.querySelectorAll("button"))
      button.setAttribute("aria-pressed", String(button.value === chosen));
  }

  /** Shows the user's own photo beside the samples. @param {string} copy its address */
  offerOwn(copy) {
    const says = "Your photo. A small copy stays in this browser until you close the tab.";
    this.#own.replaceChildren(html.img({ src: copy, width: 60, height: 60, alt: "" }));
    this.#own.title = says;
    this.#own.setAttribute("aria-label", says);
    if (!this.#own.isConnected) this.#box.append(this.#own);
    this.mark(this.#sample);
  }
}
