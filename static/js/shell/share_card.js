/** The card for sharing a page: its QR code, its link, a picture of it, and its citation. */

import { ApiError, read } from "../core/api.js";
import { ExportRefused } from "../core/errors.js";
import { html, say } from "../draw/dom.js";
import { copy } from "./export_buttons.js";
import { hallCode } from "./hall_code.js";

/** The button of a page that saves the view on screen as PNG. */
const PNG = ["save-png", "save-view-png"];

export class ShareCard {
  #code = html.div({ class: "share-code" });
  #address = html.p({ class: "share-address" });
  #said = html.p({ class: "note", role: "status" });
  #cited = html.textarea({ rows: 6, readonly: true, spellcheck: "false", "aria-label": "BibTeX" });
  #cite;
  #node;
  #wiring;

  /** @param {{path: () => Promise<string>, model: () => string, files: () => Promise<void>}} wiring the path that the code leads to, the model on screen, and what opens the files */
  constructor(wiring) {
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
    try {
      const { node, address } = await hallCode(await this.#wiring.path());
      this.#code.replaceChildren(node);
      say(this.#address, address);
      say(this.#said, "");
    } catch (error) {
      this.#refused(error);
    }
  }

  /** @param {unknown} error */
  #refused(error) {
    if (!(error instanceof ApiError || error instanceof ExportRefused)) throw error;
    say(this.#said, error.message);
  }

  async #link() {
    try {
      const path = await this.#wiring.path();
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
