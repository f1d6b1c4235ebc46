/** The facts about the map on screen. One that is pressed has its cells marked, a reference, and something to try. */

/** @import {Model} from "../core/types" */
/** @import {Cell, Finding} from "../core/finding.js" */

import { diagnosesOf } from "../core/diagnoses.js";
import { nameOf } from "../core/edit_list.js";
import { viewsOf } from "../core/views.js";
import { html } from "../draw/dom.js";
import { installedModels } from "./fields.js";

/** @typedef {{select: (row: number) => void, change: (change: any) => void, request?: (change: any) => void}} WhyWiring */
/** @typedef {{scene: any, settings: any}} Place the scene on screen, and its settings */

/** Views whose marks are cells. */
const MARKED = ["map", "ribbons", "arcs"];
/** More cells are not marked one by one. */
const MOST_MARKS = 400;

export class WhyList {
  #box;
  #wiring;
  /** @type {Place | null} */
  #now = null;
  /** The id of the finding whose cells are marked. @type {string | null} */
  #chosen = null;
  /** The scene that the list was made for. */
  #made = "";
  /** @type {Finding[]} */
  #found = [];
  /** @type {Model[]} */
  #models = document.getElementById("ask") ? installedModels() : [];

  /** @param {HTMLElement} place @param {WhyWiring} wiring */
  constructor(place, wiring) {
    this.#box = place;
    this.#wiring = wiring;
  }

  /** @param {Place} now */
  draw(now) {
    const another = now.scene !== this.#now?.scene;
    this.#now = now;
    if (another) {
      this.#found = diagnosesOf(now.scene, this.#models);
      if (!this.#found.some(({ id }) => id === this.#chosen)) this.#chosen = null;
      this.#list();
    }
    this.#mark();
  }

  /** Takes the marks off. */
  clear() {
    this.#chosen = null;
    this.#made = "";
    this.#now = null;
    unmark();
  }

  /** Lists the findings, unless they stand there already. */
  #list() {
    const made = JSON.stringify([this.#found, this.#chosen]);
    if (made === this.#made) return;
    this.#made = made;
    const focused = document.activeElement?.closest("[data-finding]")?.getAttribute("data-finding");
    this.#box.replaceChildren(
      this.#found.length
        ? html.ul({ class: "why-list" }, ...this.#found.map((finding) => this.#item(finding)))
        : html.p({ class: "note" }, "Nothing here is out of the ordinary: no rule finds a reason."),
    );
    const again = this.#box.querySelector(`[data-finding="${focused}"] button`);
    if (again instanceof HTMLElement) again.focus();
  }

  /** @param {Finding} finding */
  #item(finding) {
    const { id, title, says, because, source } = finding;
    const open = id === this.#chosen;
    return html.li(
      { "data-finding": id },
      html.button(
        {
          type: "button",
          class: "why-name",
          "aria-pressed": String(open),
          onclick: () => this.#choose(finding),
        },
        title,
      ),
      html.span({ class: "why-says" }, says),
      open &&
        html.div(
          { class: "why-more" },
          html.p({ class: "note" }, because, " ", reference(source)),
          this.#attempt(finding),
        ),
    );
  }

  /** The button that makes the edit, or asks for what a finding suggests. @param {Finding} finding */
  #attempt({ attempt }) {
    if (!attempt) return null;
    const { scene, settings } = /** @type {Place} */ (this.#now);
    const edit = "edit" in attempt ? attempt.edit : null;
    const change = "change" in attempt ? attempt.change : { edits: [...settings.edits, edit] };
    const name = "change" in attempt ? attempt.name : nameOf(attempt.edit, scene.trace);
    const onclick = () => {
      // The edits and the links of one model's output are not those of another's.
      if ("model" in change) return this.#wiring.request?.(change);
      // A saved trace is the answer to its own request alone.
      this.#wiring.change("units" in change ? change : { ...change, saved: null });
    };
    return html.button({ type: "button", class: "quiet", onclick }, `Try: ${name}`);
  }

  /** @param {Finding} finding */
  #choose({ id, cells }) {
    this.#chosen = this.#chosen === id ? null : id;
    this.#list();
    this.#mark();
    const { scene } = /** @type {Place} */ (this.#now);
    if (scene.trace.source.kind === "grid") return this.#chosen && this.#select(scene, cells);
    const [first] = cells;
    if (!this.#chosen || !first) return;
    if (MARKED.includes(scene.viewName)) this.#wiring.select(first.row);
    else this.#wiring.change({ view: viewsOf(scene.kind.name)[0].name, part: null });
  }

  /** Goes to the word of the first cell, and selects its cells of the photo. @param {any} scene @param {Cell[]} found */
  #select(scene, [first, ...more]) {
    if (!first) return;
    const own = [first, ...more].filter(({ row }) => row === first.row);
    const step = scene.rows[first.row].tokens[0];
    this.#wiring.change({
      view: "photo",
      part: null,
      step,
      cells: own.map(({ column }) => column),
    });
  }

  /** Marks the cells of the chosen finding in the view on screen. */
  #mark() {
    unmark();
    const finding = this.#found.find(({ id }) => id === this.#chosen);
    const view = this.#now?.scene.viewName;
    if (!finding || !MARKED.includes(view)) return;
    const cells = finding.cells.slice(0, MOST_MARKS);
    if (view === "map") document.getElementById("plot-frame")?.append(...cells.map(outline));
    else for (const cell of cells) mark(view, cell);
  }
}

/** @param {Cell} cell */
const outline = ({ row, column }) =>
  html.span({ class: "found", "--row": row, "--column": column });

/** @param {string} view @param {Cell} cell */
const mark = (view, { row, column }) => {
  const place = document.querySelector(`[data-view-place="${view}"]:not(.mass, .least)`);
  for (const node of place?.querySelectorAll(`[data-row="${row}"][data-column="${column}"]`) ?? [])
    node.toggleAttribute("data-found", true);
};

function unmark() {
  for (const node of document.querySelectorAll(".found")) node.remove();
  for (const node of document.querySelectorAll("[data-found]")) node.removeAttribute("data-found");
}

/** @param {Finding["source"]} source */
const reference = ({ text, url }) =>
  html.a({ href: url, target: "_blank", rel: "noopener noreferrer" }, text);
