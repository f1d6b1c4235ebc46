/**
 * A lesson: the arrow keys turn its steps, and a sentence of your own goes along. Steps on the same
 * page take turns without loading it again. Without this script the links lead through all of them.
 */

/** @import {Address} from "../core/address.js" */
/** @import {Store} from "../core/store.js" */
/** @import {Shown} from "./lesson_unit.js" */
/** @import {BaseSettings, BaseTrace} from "./types" */

import { KEYS } from "../core/keys.js";
import { isTurned, ownText, withText } from "../core/lesson.js";
import { markDone, progress } from "../core/lesson_progress.js";
import { box } from "../draw/dom.js";
import { isTyped } from "./keys.js";
import { LessonUnit } from "./lesson_unit.js";

/** Where an arrow key has a meaning of its own. */
const TAKEN = "input, summary, #steps";
/** Parts of a page that belong to a step: its words, and its trace. */
const PARTS = ["lesson", "example"];

/** The phases of an answer that did not come. */
const FAILED = ["stale", "empty", "refused"];

/** @template {BaseSettings & {lesson: string | null, at: number | null}} S @template {BaseTrace} T */
export class Lesson {
  #address;
  #store;
  /** The step whose words are on the page. */
  #shown;
  /** The output of another model on the same input. @type {(model: string) => Promise<string>} */
  #textOf;
  /** The task of the learner in the step. @type {LessonUnit | null} */
  #unit = null;
  /** Counts the turns: of several steps that are fetched, the last is shown. */
  #turns = 0;

  /** @param {Address<S>} address @param {Store<S, T>} store @param {(model: string) => Promise<string>} textOf */
  constructor(address, store, textOf) {
    this.#address = address;
    this.#store = store;
    this.#textOf = textOf;
    this.#shown = stepOf(store.settings);
    addEventListener("click", (event) => this.#pressed(event));
    addEventListener("keydown", (event) => this.#key(event));
    store.subscribe(({ changed }) => this.#follow(changed));
    this.#carry();
    this.#begin();
    if (isTurned(document.referrer, location.href))
      box("lesson-title").focus({ preventScroll: true });
  }

  /** Starts the unit of the step on the page. */
  #begin() {
    const { lesson, at } = this.#store.settings;
    const node = document.getElementById("lesson-unit");
    const done = () => {
      if (lesson && at) markDone(lesson, at);
      this.#markSteps();
    };
    this.#unit = null;
    if (node)
      this.#unit = new LessonUnit(node, {
        shown: () => this.#run(),
        failed: () => {
          const { answer } = this.#store;
          return !answer?.again && FAILED.includes(answer?.phase ?? "");
        },
        change: (parameters) => this.#change(parameters),
        textOf: this.#textOf,
        done,
      });
    if (!node) done();
    this.#markSteps();
  }

  /** The complete run on screen. @returns {Shown | null} */
  #run() {
    const { answer, settings, state } = this.#store;
    if (!answer?.trace || answer.phase !== "ready") return null;
    const { step, cells = [] } = /** @type {S & {cells?: number[]}} */ (settings);
    return {
      trace: answer.trace,
      step: step ?? 0,
      cells,
      authored: box("lesson").dataset.ownText,
      edited: state.edits.length > 0,
    };
  }

  /** Changes settings, as an address names them. @param {Record<string, string | number>} parameters */
  #change(parameters) {
    const query = new URLSearchParams(
      Object.entries(parameters).map(([name, value]) => [name, String(value)]),
    );
    const settings = this.#address.fromQuery(`?${query}`);
    const names = /** @type {(keyof S)[]} */ ([...query.keys()]);
    this.#store.dispatch(
      /** @type {Partial<S>} */ (Object.fromEntries(names.map((name) => [name, settings[name]]))),
    );
  }

  /** Shows which steps are done. */
  #markSteps() {
    const done = progress()[this.#store.settings.lesson ?? ""] ?? [];
    document.querySelectorAll(".lesson-steps a").forEach((link, place) => {
      link.toggleAttribute("data-done", done.includes(place + 1));
    });
  }

  /** Goes to the next or the previous step, if there is one. @param {1 | -1} by */
  turn(by) {
    this.#goTo(document.getElementById(by === 1 ? "lesson-next" : "lesson-back"));
    return true;
  }

  /** @param {MouseEvent} event */
  #pressed(event) {
    const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (!(target instanceof Element) || event.defaultPrevented) return;
    if (target.closest("#lesson-yours")) return this.#openForm();
    const link = target.closest("#lesson a");
    if (!(link instanceof HTMLAnchorElement) || button || ctrlKey || metaKey || shiftKey || altKey)
      return;
    if (!this.#isHere(link)) return;
    event.preventDefault();
    void this.#load(link.href);
  }

  /** True if the link leads to a step on this page. @param {HTMLAnchorElement} link */
  #isHere(link) {
    const { pathname, searchParams } = new URL(link.href);
    return pathname === location.pathname && searchParams.has("lesson");
  }

  /** @param {HTMLElement | null} link */
  #goTo(link) {
    if (!(link instanceof HTMLAnchorElement)) return;
    if (this.#isHere(link)) void this.#load(link.href);
    else location.assign(link.href);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { key, target } = event;
    if (event.defaultPrevented || isTyped(event)) return;
    if (target instanceof Element && target.closest(TAKEN)) return;
    const link = document.getElementById(`lesson-${KEYS.lesson[key]}`);
    if (!link) return;
    event.preventDefault();
    this.#goTo(link);
  }

  /** Goes to a step on this page. @param {string} href */
  async #load(href) {
    const found = await this.#replace(href);
    if (found === null) return;
    if (!found) return location.assign(href);
    const settings = this.#address.fromQuery(new URL(href).search);
    this.#shown = stepOf(settings);
    document.body.removeAttribute("data-own");
    this.#store.dispatch({ ...settings, saved: null }, { history: "push" });
    this.#carry();
    this.#begin();
    box("lesson-title").focus({ preventScroll: true });
  }

  /** Shows the words of the step that the history leads to. @param {ReadonlySet<string>} changed */
  async #follow(changed) {
    const step = stepOf(this.#store.settings);
    const same = step === this.#shown;
    this.#shown = step;
    if (same) this.#unit?.draw();
    else {
      this.#unit = null; // the next run is not of its step
      const found = await this.#replace(location.href);
      if (found === null) return;
      if (!found) return location.reload();
      this.#begin();
    }
    if (same && (changed.has("text") || changed.has("present"))) this.#carry();
  }

  /**
   * Takes the parts of a step from its page. False if there is no such page, null if another one was
   * turned to meanwhile.
   * @param {string} href
   */
  async #replace(href) {
    const turn = ++this.#turns;
    const page = await documentAt(href).catch(() => null);
    if (turn !== this.#turns) return null;
    if (!page?.getElementById("lesson")) return false;
    this.#unit = null;
    for (const id of PARTS) {
      const [old, made] = [document.getElementById(id), page.getElementById(id)];
      if (old && made) old.replaceWith(document.importNode(made, true));
      else old?.remove();
    }
    this.#carry();
    return true;
  }

  /** Takes the user's sentence and the presentation along. */
  #carry() {
    const panel = box("lesson");
    const { present, ...settings } = this.#store.settings;
    const text = /** @type {{text?: string | null}} */ (settings).text;
    const own = ownText(text, panel.dataset.ownText ?? "");
    box("lesson-own").hidden = own === null;
    for (const link of panel.querySelectorAll("#lesson-back, #lesson-next[rel], .lesson-steps a")) {
      if (!(link instanceof HTMLAnchorElement)) continue;
      link.dataset.authored ??= link.href;
      const url = new URL(
        own === null ? link.dataset.authored : withText(link.dataset.authored, own),
      );
      if (present) url.searchParams.set("present", present);
      link.href = url.href;
    }
  }

  #openForm() {
    document.body.toggleAttribute("data-own", true);
    const field = document.getElementById("choose") ?? document.querySelector("#ask textarea");
    if (!(field instanceof HTMLElement)) return;
    field.scrollIntoView({ block: "nearest" });
    field.focus();
    if (field instanceof HTMLTextAreaElement) field.select();
  }
}

/** @param {{lesson: string | null, at: number | null}} settings */
const stepOf = ({ lesson, at }) => `${lesson} ${at}`;

/** @param {string} href @returns {Promise<Document>} */
function documentAt(href) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", href);
    request.responseType = "document";
    request.onload = () =>
      request.responseXML ? resolve(request.responseXML) : reject(new Error("no page"));
    request.onerror = () => reject(new Error("the server does not answer"));
    request.send();
  });
}
