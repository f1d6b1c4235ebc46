/**
 * A tour: the arrow keys turn its steps, and a sentence of your own goes along. Steps on the same
 * page take turns without loading it again. Without this script the links lead through all of them.
 */

import { ownText, withText } from "../core/tour.js";
import { box } from "../draw/dom.js";

/** Where an arrow key has a meaning of its own. */
const TAKEN = "input, textarea, select, summary, #steps, [contenteditable]";
/** Parts of a page that belong to a step: its words, and its trace. */
const PARTS = ["tour", "example"];

export function startTour() {
  new Tour();
}

class Tour {
  /** The step whose words are on the page. */
  #at = location.search;

  constructor() {
    addEventListener("click", (event) => this.#pressed(event));
    addEventListener("keydown", (event) => this.#key(event));
    addEventListener("popstate", () => this.#follow());
    new MutationObserver(() => this.#carry()).observe(box("stage"), {
      attributeFilter: ["data-state"],
    });
    this.#carry();
  }

  /** @param {MouseEvent} event */
  #pressed(event) {
    const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (!(target instanceof Element) || event.defaultPrevented) return;
    if (target.closest("#tour-yours")) return this.#openForm();
    const link = target.closest("#tour a");
    if (!(link instanceof HTMLAnchorElement) || button || ctrlKey || metaKey || shiftKey || altKey)
      return;
    const url = new URL(link.href);
    if (url.pathname !== location.pathname || !url.searchParams.has("tour")) return;
    event.preventDefault();
    void this.#turn(url.href);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target instanceof Element && target.closest(TAKEN)) return;
    const id = { ArrowRight: "tour-next", ArrowLeft: "tour-back" }[key];
    const link = id ? document.getElementById(id) : null;
    if (!link) return;
    event.preventDefault();
    link.click();
  }

  /** Goes to a step on this page. @param {string} href */
  async #turn(href) {
    if (!(await this.#replace(href))) return location.assign(href);
    history.pushState(null, "", href);
    this.#at = location.search;
    document.body.removeAttribute("data-own");
    dispatchEvent(new PopStateEvent("popstate"));
    box("tour-title").focus({ preventScroll: true });
  }

  /** Shows the words of the step that the history leads to. */
  async #follow() {
    const [before, now] = [this.#at, location.search].map((query) => new URLSearchParams(query));
    this.#at = location.search;
    const same = ["tour", "at"].every((name) => before.get(name) === now.get(name));
    if (same) return this.#carry();
    if (!(await this.#replace(location.href))) location.reload();
  }

  /** Takes the parts of a step from its page. @param {string} href */
  async #replace(href) {
    const page = await documentAt(href).catch(() => null);
    if (!page?.getElementById("tour")) return false;
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
    const panel = box("tour");
    const own = ownText(location.search, panel.dataset.ownText ?? "");
    const present = new URLSearchParams(location.search).get("present");
    box("tour-own").hidden = own === null;
    for (const link of panel.querySelectorAll("#tour-back, #tour-next[rel], .tour-steps a")) {
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
    const field = document.getElementById("text") ?? box("choose");
    field.scrollIntoView({ block: "nearest" });
    field.focus();
    if (field instanceof HTMLTextAreaElement) field.select();
  }
}

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
