/** The card for sharing a page: its QR code, its link, a picture of it, and its citation. */

/** @import {Address} from "../core/address.js" */
/** @import {Store} from "../core/store.js" */

import { ApiError, read } from "../core/api.js";
import { ExportRefused } from "../core/errors.js";
import { html, say } from "../draw/dom.js";
import { copy } from "./export_buttons.js";
import { hallCode, hallPath, isAddressed } from "./hall_code.js";

/** The button of a page that saves the view on screen as PNG. */
const PNG = ["save-png", "save-view-png"];

export class ShareCard {
  #code = html.div({ class: "share-code" });
  #address = html.p({ class: "share-address" });
  #said = html.p({ class: "note", role: "status" });
  #cited = html.textarea({ rows: 6, readonly: true, spellcheck: "false", "aria-label": "BibTeX" });
  #cite;
  #node;
  #store;
  #state;
  #wiring;
  /** Counts the openings: what the last one saved is shown. */
  #turn = 0;

  /**
   * @param {Pick<Store<any, any>, "settings" | "saved">} store @param {Pick<Address<any>, "savedQuery">} state
   * @param {{model: () => string, tooLong: () => boolean, save: () => Promise<string | null | undefined>, files: () => Promise<void>}} wiring
   *   the model on screen, empty if the server has not got it; true if the address does not hold the
   *   request; and functions that save the result and open the files
   */
  constructor(store, state, wiring) {
    this.#store = store;
    this.#state = state;
    this.#wiring = wiring;
    const heading = html.h2({ id: "share-card-name" }, "Share");
    const close = button("Close", () => this.#node.close());
    this.#cite = html.details(
      html.summary("Cite"),
      this.#cited,
      button("Copy", () => this.#copy()),
    );
    this.#cite.addEventListener("toggle", () => void this.#loadCitation());
    const actions = html.div(
      { class: "share-actions" },
      button("Copy the link", () => this.#link()),
      button("PNG", () => this.#png()),
      button("All files", () => this.#files()),
      close,
    );
    this.#node = html.dialog(
      { class: "share-card", "aria-labelledby": "share-card-name" },
      heading,
      html.figure(this.#code, this.#address),
      this.#said,
      actions,
      this.#cite,
    );
    const href = new URL("../../css/share.css", import.meta.url).href;
    document.head.append(html.link({ rel: "stylesheet", href }));
    document.body.append(this.#node);
  }

  /** Opens the card; in a presentation it has the code alone. */
  async open() {
    this.#node.showModal();
    this.#cite.open = false;
    this.#code.replaceChildren();
    say(this.#address, "");
    say(this.#said, "One moment…");
    const turn = ++this.#turn;
    try {
      const { node, address } = await hallCode(await this.#path());
      if (turn !== this.#turn) return;
      this.#code.replaceChildren(node);
      say(this.#address, address);
      say(this.#said, "");
    } catch (error) {
      if (turn === this.#turn) this.#refused(error);
    }
  }

  /** The path at which others see what is on screen; what no address holds is saved first. */
  async #path() {
    const { settings, saved } = this.#store;
    const { model, tooLong, save } = this.#wiring;
    const path = hallPath(location.href);
    const shown = { ...settings, known: model() !== "" };
    if (saved || (!tooLong() && isAddressed(path, shown))) return path;
    const id = await save();
    if (!id) throw new ApiError("changed", "Another result is on screen by now.", null);
    return `/t/${id}${this.#state.savedQuery({ ...settings, present: null, show: [] })}`;
  }

  /** @param {unknown} error */
  #refused(error) {
    if (!(error instanceof ApiError || error instanceof ExportRefused)) throw error;
    say(this.#said, error.message);
  }

  async #link() {
    try {
      const path = await this.#path();
      say(this.#said, await copy(new URL(path, location.origin).href, "Link copied."));
    } catch (error) {
      this.#refused(error);
    }
  }

  async #png() {
    await this.#wiring.files();
    const found = PNG.map((id) => document.getElementById(id)).find(Boolean);
    found?.click();
    this.#node.close();
  }

  async #files() {
    this.#node.close();
    await this.#wiring.files();
    document.getElementById("call")?.scrollIntoView({ block: "start" });
  }

  async #loadCitation() {
    if (!this.#cite.open) return;
    try {
      const model = encodeURIComponent(this.#wiring.model());
      const response = await read(`/cite.bib?model=${model}`, "text/x-bibtex");
      this.#cited.value = await response.text();
    } catch (error) {
      this.#refused(error);
    }
  }

  async #copy() {
    say(this.#said, await copy(this.#cited.value, "BibTeX copied."));
  }
}

/** @param {string} text @param {() => void} act */
function button(text, act) {
  const made = html.button({ type: "button" }, text);
  made.addEventListener("click", act);
  return made;
}
