/** Saving the trace on screen on the server: its link, the frame for another page, and the way back. */

/** @import {Settings, Trace} from "../core/types" */

import { ApiError, deleteTrace, saveTrace } from "../core/api.js";
import { Keys } from "../core/deletion_keys.js";
import { storage } from "../core/recent.js";
import { frame, linkTo, looks } from "../core/saved.js";
import { toQuery } from "../core/state.js";
import { visible } from "../core/text.js";
import { box, byId } from "./dom.js";

/**
 * What is on screen, and what of it stands in a link: how it is looked at, and a title.
 * @template S
 * @typedef {{trace: Trace, settings: S}} Now
 */
/**
 * @template S
 * @typedef {{query: (settings: S) => string, title: (trace: Trace) => string}} Telling
 */

/** Of the page of texts. @type {Telling<Settings>} */
const OF_TEXTS = {
  query: (settings) => toQuery(looks({ ...settings, show: [] })),
  title: ({ source, text }) => `${visible(source.text)} → ${visible(text)}`,
};

/** @template [S=Settings] */
export class Keep {
  #save = byId("keep-save", HTMLButtonElement);
  #delete = byId("keep-delete", HTMLButtonElement);
  #link = byId("keep-link", HTMLInputElement);
  #frame = byId("keep-frame", HTMLTextAreaElement);
  #keys = new Keys(storage());
  #now;
  #telling;
  /** Id under which the trace on screen is saved. @type {string | null} */
  #id = null;

  /** @param {() => Now<S> | null} now @param {Telling<S>} [telling] */
  constructor(now, telling = /** @type {Telling<any>} */ (OF_TEXTS)) {
    this.#now = now;
    this.#telling = telling;
    this.#save.disabled = false; // until now nobody listened
    this.#save.addEventListener("click", () => this.#busy(this.#save, () => this.#keep()));
    this.#delete.addEventListener("click", () => this.#busy(this.#delete, () => this.#forget()));
    for (const [button, field] of /** @type {const} */ ([["copy-kept", this.#link], ["copy-frame", this.#frame]])) {
      field.addEventListener("focus", () => field.select());
      box(button).addEventListener("click", () => this.#copy(field));
    }
  }

  /** Another trace is on screen. @param {string | null} [id] if it is saved already */
  show(id = null) {
    this.#id = id;
    this.#say(id ? this.#until() : "");
    this.draw();
  }

  /** Brings link and frame up to how it is looked at now. */
  draw() {
    const [id, now] = [this.#id, this.#now()];
    box("keep-made").hidden = !id;
    this.#save.hidden = id !== null;
    this.#delete.hidden = !id || !this.#keys.of(id);
    if (!id || !now) return;
    const query = this.#telling.query(now.settings);
    const link = linkTo(location.origin, id, query);
    const open = document.getElementById("open"); // only within another page
    if (open instanceof HTMLAnchorElement) open.href = link;
    this.#link.value = link;
    this.#frame.value = frame(location.origin, id, query, this.#telling.title(now.trace));
  }

  async #keep() {
    const now = this.#now();
    if (!now) return;
    const { id, key, expires } = await saveTrace(now.trace);
    this.#keys.add(id, { key, expires });
    if (this.#now()?.trace !== now.trace) return; // another one is on screen by now
    this.show(id);
    this.#link.focus();
  }

  async #forget() {
    const id = this.#id;
    const kept = id && this.#keys.of(id);
    if (!id || !kept) return;
    try {
      await deleteTrace(id, kept.key);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "unknown_trace") throw error;
    }
    this.#keys.remove(id);
    this.show();
    this.#say("Deleted. The link leads nowhere now.");
    this.#save.focus();
  }

  /** Until when it is kept, as far as this browser was told. */
  #until() {
    const kept = this.#id ? this.#keys.of(this.#id) : null;
    if (!kept) return "";
    const end = kept.expires && new Date(kept.expires).toLocaleDateString(undefined, { dateStyle: "long" });
    return `${end ? `Kept until ${end}` : "Kept until it is deleted"}. Whoever has the link can see it; only this browser can delete it.`;
  }

  /** @param {HTMLInputElement | HTMLTextAreaElement} field */
  async #copy(field) {
    field.select();
    try {
      if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
      else if (!document.execCommand("copy")) throw new Error("copying was refused");
      this.#say("Copied.");
    } catch {
      this.#say("This browser does not copy; it is marked for you to do so.");
    }
  }

  /** Once at a time; what the server refuses is said. @param {HTMLButtonElement} button @param {() => Promise<void>} act */
  async #busy(button, act) {
    if (button.ariaDisabled === "true") return;
    button.ariaDisabled = "true";
    try {
      await act();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#say(error.message);
    } finally {
      button.ariaDisabled = null;
    }
  }

  /** @param {string} text */
  #say(text) {
    box("keep-said").textContent = text;
  }
}
