/**
 * A presentation: the result alone on the whole screen, in large type, with a highlight that follows
 * the pointer. With `guess`, the next word is hidden until a key reveals it. Loaded when one begins.
 */

/** @import {Action} from "../core/presentation.js" */
/** @import {Store} from "../core/store.js" */
/** @import {Presenting} from "../core/types" */
/** @import {Stage} from "./stage.js" */
/** @import {BaseScene, BaseSettings, BaseTrace} from "./types" */

import { actionOf, scaleFor } from "../core/presentation.js";
import { box, html } from "../draw/dom.js";
import { Fitting } from "./fitting.js";
import { isTyped } from "./keys.js";
import { PresentationBar } from "./presentation_bar.js";

const IDLE_MS = 2500;
const root = document.documentElement;

/** @template {BaseSettings} S @template {BaseTrace} T @template {BaseScene<T>} C */
export class Presentation {
  /** @type {Store<S, T>} */
  #store;
  #stage;
  #turn;
  #code;
  #bar;
  #fitting;
  #laser = html.div({ class: "laser", "aria-hidden": "true", hidden: true });
  /** True while the highlight follows the pointer. */
  #pointing = false;
  /** True while the current word is still to be guessed. */
  #guessing = false;
  /** @type {Presenting | null} */
  #state = null;
  #idle = 0;
  /** True once its style sheet is loaded. */
  #styled = false;
  /** Of the current presentation. @type {AbortController | null} */
  #listening = null;

  /** @param {Store<S, T>} store @param {Stage<S, T, C>} stage @param {{turn: (by: 1 | -1) => boolean, code: () => void}} wiring `turn`: goes to the next or previous step of a lesson, false without one; `code`: shows the QR code of the page */
  constructor(store, stage, { turn, code }) {
    this.#store = store;
    this.#stage = stage;
    this.#turn = turn;
    this.#code = code;
    this.#fitting = new Fitting(
      () => stage.draw(),
      () => ({
        view: stage.scene?.viewName ?? "",
        rows: stage.scene?.rows.length ?? 0,
        of: store.answer?.trace,
      }),
    );
    this.#bar = new PresentationBar(
      (action) => this.#act(action),
      (view) => store.dispatch(/** @type {Partial<S>} */ ({ view, part: null })),
    );
    const href = new URL("../../css/present.css", import.meta.url).href;
    const style = html.link({ rel: "stylesheet", href });
    style.addEventListener("load", () => {
      this.#styled = true;
      this.#size();
    });
    document.head.append(style);
    store.subscribe(() => this.#show());
    this.#show();
  }

  /** Begins, changes or ends the presentation, as the store says. */
  #show() {
    const { present } = this.#store.settings;
    if (present !== this.#state) {
      const began = this.#state === null;
      this.#state = present;
      if (present === null) this.#end();
      else if (began) this.#begin();
      this.#hide(present === "guess");
    }
    if (present === null) return;
    this.#drawBar();
    this.#lookAhead();
    this.#size();
  }

  #drawBar() {
    this.#bar.draw({
      views: this.#stage.views,
      view: this.#stage.scene?.viewName ?? "",
      place: this.#stage.controls.place,
      guessing: this.#state === "guess",
      pointing: this.#pointing,
    });
  }

  /** @param {Presenting | null} present */
  #change(present) {
    this.#store.dispatch(/** @type {Partial<S>} */ ({ present }));
  }

  /** @param {boolean} pointing */
  #point(pointing) {
    this.#pointing = pointing;
    root.toggleAttribute("data-laser", pointing);
  }

  #begin() {
    root.toggleAttribute("data-presenting", true);
    this.#point(true);
    box("main").append(this.#bar.node, this.#laser);
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    addEventListener("keydown", (event) => this.#key(event), { capture: true, signal });
    addEventListener("pointermove", (event) => this.#light(event), { signal });
    addEventListener("resize", () => this.#size(), { signal });
    let full = document.fullscreenElement !== null;
    document.addEventListener(
      "fullscreenchange",
      () => {
        if (full && !document.fullscreenElement) this.#change(null);
        full = document.fullscreenElement !== null;
        this.#drawBar();
      },
      { signal },
    );
    this.#wake();
    this.#size();
  }

  #end() {
    this.#listening?.abort();
    clearTimeout(this.#idle);
    for (const name of ["data-presenting", "data-laser", "data-idle", "data-guess", "data-ahead"])
      root.removeAttribute(name);
    this.#fitting.end();
    this.#bar.node.remove();
    this.#laser.remove();
    if (document.fullscreenElement) void document.exitFullscreen();
    this.#stage.draw();
  }

  /** Scales the result to the window above the words of a lesson, and the picture to its room. */
  #size() {
    if (this.#state === null || !this.#styled) return;
    root.style.setProperty("--present", String(scaleFor(innerWidth, innerHeight)));
    const words = document.getElementById("lesson")?.offsetHeight ?? 0;
    root.style.setProperty("--below", `${words}px`);
    this.#fitting.check();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { target } = event;
    if (isTyped(event) || document.querySelector("dialog[open]")) return;
    const action = actionOf(event.key);
    if (!action || (event.key === " " && target instanceof HTMLButtonElement)) return;
    event.preventDefault();
    event.stopPropagation();
    this.#wake();
    this.#act(action);
  }

  /** @param {Action} action */
  #act(action) {
    if (action === "leave") this.#change(null);
    else if (action === "guess") this.#change(this.#state === "guess" ? "1" : "guess");
    else if (action === "laser") this.#point(!this.#pointing);
    else if (action === "code") this.#code();
    else if (action === "play") this.#stage.controls.toggle();
    else if (action === "next") this.#turn(1) || this.#forward();
    else if (action === "previous") this.#turn(-1) || this.#back();
    else if (action === "forward") this.#forward();
    else this.#back();
    this.#laser.hidden ||= !this.#pointing;
    if (this.#state !== null) this.#drawBar();
  }

  /** Reveals the hidden word, or goes on to the next one. */
  #forward() {
    if (this.#guessing) return this.#hide(false);
    const { controls } = this.#stage;
    const { atEnd, row } = controls;
    controls.by(1);
    if (controls.row !== row) this.#hide(this.#state === "guess");
    else if (atEnd) this.#turn(1);
  }

  #back() {
    this.#stage.controls.by(-1);
    this.#hide(false);
  }

  /** @param {boolean} hidden whether the current word is hidden */
  #hide(hidden) {
    this.#guessing = hidden && this.#state === "guess";
    if (this.#state === "guess") root.dataset.guess = hidden ? "hidden" : "shown";
    else delete root.dataset.guess;
    this.#stage.conceal(this.#guessing);
    this.#lookAhead();
  }

  /** Marks that the run goes on: its answer stays hidden until the last row. */
  #lookAhead() {
    const rows = this.#stage.scene?.rows.length ?? 0;
    const ahead = this.#state === "guess" && this.#stage.controls.row < rows - 1;
    root.toggleAttribute("data-ahead", ahead);
  }

  /** @param {PointerEvent} event */
  #light({ clientX, clientY }) {
    this.#wake();
    this.#laser.hidden = !this.#pointing;
    this.#laser.style.transform = `translate(${clientX}px, ${clientY}px)`;
  }

  /** Shows the bar, until nothing moves for a while. */
  #wake() {
    root.toggleAttribute("data-idle", false);
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => root.toggleAttribute("data-idle", true), IDLE_MS);
  }
}
