/**
 * A presentation: the result alone on the whole screen, in large type, with a highlight that follows
 * the pointer. With `guess`, the next word is hidden until a key reveals it. Loaded when one begins.
 */

/** @import {Presenting} from "../core/types" */
/** @import {Action} from "../core/presentation.js" */

import { actionOf, scaleFor } from "../core/presentation.js";
import { box, byId, element } from "../draw/dom.js";
import { PresentationBar } from "./presentation_bar.js";

const IDLE_MS = 2500;
const root = document.documentElement;

export class Presentation {
  #change;
  #redraw;
  #bar;
  #laser = element("div", { class: "laser", "aria-hidden": "true", hidden: true });
  /** @type {Presenting | null} */
  #state = null;
  #idle = 0;
  /** Of the current presentation. @type {AbortController | null} */
  #listening = null;
  #slider = byId("slider", HTMLInputElement);

  /** @param {{change: (change: {present: Presenting | null}) => void, redraw: () => void}} page */
  constructor({ change, redraw }) {
    this.#change = change;
    this.#redraw = redraw;
    this.#bar = new PresentationBar((action) => this.#act(action));
    const href = new URL("../../css/present.css", import.meta.url).href;
    const style = element("link", { rel: "stylesheet", href });
    style.addEventListener("load", () => this.#fit());
    document.head.append(style);
  }

  /** Begins, changes or ends the presentation. @param {Presenting | null} state */
  show(state) {
    if (state !== this.#state) {
      const began = this.#state === null;
      this.#state = state;
      if (state === null) this.#end();
      else if (began) this.#begin();
      this.#hide(state === "guess");
    }
    this.#bar.draw(this.#state === "guess", this.#laserOn);
  }

  get #laserOn() {
    return root.hasAttribute("data-laser");
  }

  #begin() {
    root.toggleAttribute("data-presenting", true);
    root.toggleAttribute("data-laser", true);
    box("main").append(this.#bar.node, this.#laser);
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    addEventListener("keydown", (event) => this.#key(event), { capture: true, signal });
    addEventListener("pointermove", (event) => this.#point(event), { signal });
    addEventListener("resize", () => this.#fit(), { signal });
    let full = document.fullscreenElement !== null;
    document.addEventListener(
      "fullscreenchange",
      () => {
        if (full && !document.fullscreenElement) this.#change({ present: null });
        full = document.fullscreenElement !== null;
        this.#bar.draw(this.#state === "guess", this.#laserOn);
      },
      { signal },
    );
    this.#wake();
    this.#fit();
  }

  #end() {
    this.#listening?.abort();
    clearTimeout(this.#idle);
    for (const name of ["data-presenting", "data-laser", "data-idle", "data-guess"])
      root.removeAttribute(name);
    box("stage").style.removeProperty("margin-top");
    this.#bar.node.remove();
    this.#laser.remove();
    if (document.fullscreenElement) void document.exitFullscreen();
    this.#redraw();
  }

  /** Scales the result to the window, below the title of a tour. */
  #fit() {
    root.style.setProperty("--present", String(scaleFor(innerWidth, innerHeight)));
    const tour = document.getElementById("tour");
    const above = tour ? tour.getBoundingClientRect().height : 0;
    root.style.setProperty("--above", `${above}px`);
    // A scaled box keeps its room in the layout: the stage moves down by what the title grew.
    if (tour) box("stage").style.marginTop = `${above - tour.offsetHeight}px`;
    this.#redraw();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target instanceof Element && target.closest("input:not([type=range]), textarea, select"))
      return;
    const action = actionOf(event.key);
    if (!action || (event.key === " " && target instanceof HTMLButtonElement)) return;
    event.preventDefault();
    event.stopPropagation();
    this.#wake();
    this.#act(action);
  }

  /** @param {Action} action */
  #act(action) {
    if (action === "leave") this.#change({ present: null });
    else if (action === "guess") this.#change({ present: this.#state === "guess" ? "1" : "guess" });
    else if (action === "laser") root.toggleAttribute("data-laser");
    else if (action === "play") byId("play", HTMLButtonElement).click();
    else if (action === "forward") this.#forward();
    else this.#back();
    this.#laser.hidden ||= !this.#laserOn;
    this.#bar.draw(this.#state === "guess", this.#laserOn);
  }

  /** Reveals the hidden word, or goes on to the next one. */
  #forward() {
    if (root.dataset.guess === "hidden") return this.#hide(false);
    const before = this.#slider.value;
    byId("forth", HTMLButtonElement).click();
    if (this.#slider.value !== before) this.#hide(this.#state === "guess");
    else if (this.#atEnd) document.getElementById("tour-next")?.click();
  }

  #back() {
    byId("back", HTMLButtonElement).click();
    this.#hide(false);
  }

  get #atEnd() {
    return byId("forth", HTMLButtonElement).ariaDisabled === "true";
  }

  /** @param {boolean} hidden whether the current word is hidden */
  #hide(hidden) {
    if (this.#state === "guess") root.dataset.guess = hidden ? "hidden" : "shown";
    else delete root.dataset.guess;
  }

  /** @param {PointerEvent} event */
  #point({ clientX, clientY }) {
    this.#wake();
    this.#laser.hidden = !this.#laserOn;
    this.#laser.style.transform = `translate(${clientX}px, ${clientY}px)`;
  }

  /** Shows the bar, until nothing moves for a while. */
  #wake() {
    root.toggleAttribute("data-idle", false);
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => root.toggleAttribute("data-idle", true), IDLE_MS);
  }
}
