/** Saving the trace on screen on the server: its link, the frame for another page, and its deletion. */

/** @import {BaseTrace} from "./types" */

import { ApiError, deleteTrace, saveTrace } from "../core/api.js";
import { DeletionKeys } from "../core/deletion_keys.js";
import { ExportRefused } from "../core/errors.js";
import { storage } from "../core/stored.js";
import { frame, frameHeight, linkTo } from "../core/saved.js";
import { box, byId } from "../draw/dom.js";

/**
 * @template S
 * @template {BaseTrace} T
 */
export class SaveLink {
  #save = byId("keep-save", HTMLButtonElement);
  #delete = byId("keep-delete", HTMLButtonElement);
  #link = byId("keep-link", HTMLInputElement);
  #frame = byId("keep-frame", HTMLTextAreaElement);
  #keys = new DeletionKeys(storage("localStorage"));
  #now;
  #linkOf;
  /** Id under which the trace on screen is saved. @type {string | null} */
  #id = null;

  /**
   * @param {() => {trace: T, settings: S} | null} now the trace and the settings on screen
   * @param {{query: (settings: S) => string, title: (trace: T) => string, whole: (trace: T) => Promise<T>}} linkOf the query of a link, the title of a frame, and the trace with all its maps
   */
  constructor(now, linkOf) {
    this.#now = now;
    this.#linkOf = linkOf;
    this.#save.disabled = false; // disabled in the template, which has no listener
    this.#save.addEventListener("click", () => this.#busy(this.#save, () => this.#saveNow()));
    this.#delete.addEventListener("click", () => this.#busy(this.#delete, () => this.#deleteNow()));
    for (const [button, field] of /** @type {const} */ ([
      ["copy-kept", this.#link],
      ["copy-frame", this.#frame],
    ])) {
      field.addEventListener("focus", () => field.select());
      box(button).addEventListener("click", () => this.#copy(field));
    }
  }

  /** Changes to another trace on screen. @param {string | null} [id] of a saved one */
  show(id = null) {
    this.#id = id;
    this.#say(id ? this.#until() : "");
    this.draw();
  }

  /** Updates link and frame to the current view. */
  draw() {
    const [id, now] = [this.#id, this.#now()];
    box("keep-made").hidden = !id;
    this.#save.hidden = id !== null;
    this.#delete.hidden = !id || !this.#keys.of(id);
    if (!id || !now) return;
    const query = this.#linkOf.query(now.settings);
    const link = linkTo(location.origin, id, query);
    const open = document.getElementById("open"); // only within another page
    if (open instanceof HTMLAnchorElement) open.href = link;
    this.#link.value = link;
    const height = frameHeight(box("steps").offsetHeight);
    this.#frame.value = frame(location.origin, id, query, this.#linkOf.title(now.trace), height);
  }

  async #saveNow() {
    if (await this.save()) this.#link.focus();
  }

  /** Saves the trace on screen, unless it is, and returns its id; none if another one is on screen by then. */
  async save() {
    const now = this.#now();
    if (this.#id || !now) return this.#id;
    const { id, key, expires } = await saveTrace(await this.#linkOf.whole(now.trace));
    this.#keys.add(id, { key, expires });
    if (this.#now()?.trace !== now.trace) return null;
    this.show(id);
    return id;
  }

  async #deleteNow() {
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
    this.#say("Deleted. The link no longer works.");
    this.#save.focus();
  }

  /** The expiry of the saved trace, where this browser saved it. */
  #until() {
    const kept = this.#id ? this.#keys.of(this.#id) : null;
    if (!kept) return "";
    const end =
      kept.expires && new Date(kept.expires).toLocaleDateString(undefined, { dateStyle: "long" });
    return `${end ? `Stored until ${end}` : "Stored until you delete it"}. Anyone with the link can see it; only this browser can delete it.`;
  }

  /** @param {HTMLInputElement | HTMLTextAreaElement} field */
  async #copy(field) {
    field.select();
    try {
      if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
      else if (!document.execCommand("copy")) throw new Error("copying was refused");
      this.#say("Copied.");
    } catch {
      this.#say("This browser cannot copy it; the text is selected for you.");
    }
  }

  /** Runs one action at a time, and shows the refusals of the server. @param {HTMLButtonElement} button @param {() => Promise<void>} act */
  async #busy(button, act) {
    if (button.ariaDisabled === "true") return;
    button.ariaDisabled = "true";
    try {
      await act();
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof ExportRefused)) throw error;
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
