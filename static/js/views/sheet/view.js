/** All words at once, each with its map over the photo. */

/** @import {PictureScene, PictureSettings, PictureTrace} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */

import { heading, percent } from "../../core/text.js";
import { html, set } from "../../draw/dom.js";
import { numberAt } from "../../draw/rows.js";
import { shownAspect } from "../../core/photo_map.js";
import { largestWeight } from "../../core/grid_sentences.js";
import { probabilityOf } from "../../core/grid_scene.js";
import { roomBelow } from "../../draw/scrolling.js";
import { panel } from "../photo/overlay.js";
import { arranged } from "./model.js";

/** Less than this is no room for the panels; the page scrolls instead. */
const LEAST_ROOM = 240;

export class View {
  #box;
  /** @type {PictureScene | null} */
  #scene = null;

  #resized = new ResizeObserver(() => requestAnimationFrame(() => this.#arrange()));

  /** @param {ViewWiring<PictureSettings, PictureTrace>} wiring */
  constructor({ place, change }) {
    this.#box = place;
    this.#resized.observe(place);
    this.#resized.observe(document.body); // a line above it moves it
    this.#box.addEventListener("click", (event) => {
      const row = numberAt(event);
      if (row !== null) change({ view: "photo", step: this.#scene?.rows[row]?.tokens[0] ?? 0 });
    });
  }

  /** @param {PictureScene} scene */
  draw(scene) {
    this.#scene = scene;
    const aspect = shownAspect(scene.trace.picture);
    this.#box.style.setProperty("--aspect", String(aspect));
    const panels = scene.rows.map((item, row) => {
      const { text, quiet } = heading(item);
      const chance = probabilityOf(scene, row);
      const name = html.span(
        { class: "panel-name" },
        html.b({ "data-quiet": quiet, dir: "auto" }, text),
        html.span(
          { class: "note number", title: "The probability of the word, and its largest weight" },
          [chance === null ? "" : percent(chance), largestWeight(scene, row)]
            .filter(Boolean)
            .join(" · "),
        ),
      );
      return html.button(
        { type: "button", class: "sheet-panel", "data-row": row },
        panel(scene, row, aspect),
        name,
      );
    });
    this.#box.replaceChildren(...panels);
    this.#arrange();
  }

  /** Makes the panels as large as the first screen allows. */
  #arrange() {
    const [first] = this.#box.children;
    const width = this.#box.clientWidth;
    if (!this.#scene || !first || !width) return;
    const names = [...this.#box.querySelectorAll(".panel-name")].map(
      (name) => /** @type {HTMLElement} */ (name).offsetHeight,
    );
    const gap = (/** @type {Element} */ of, /** @type {string} */ side) =>
      parseFloat(getComputedStyle(of).getPropertyValue(`${side}-gap`));
    const aspect = shownAspect(this.#scene.trace.picture);
    const { columns, width: photo } = arranged(
      this.#scene.rows.length,
      { width, height: roomBelow(this.#box, LEAST_ROOM) },
      { aspect, name: Math.max(...names) + gap(first, "row") },
      { column: gap(this.#box, "column"), row: gap(this.#box, "row") },
    );
    this.#box.style.setProperty("--across", String(columns));
    this.#box.style.setProperty("--photo", `${photo}px`);
  }

  /** @param {number} row @param {RowState} state */
  at(row, { playing }) {
    [...this.#box.children].forEach((each, index) => {
      set(/** @type {HTMLElement} */ (each), "aria-current", index === row && "step");
      each.toggleAttribute("data-unwritten", playing && index > row);
    });
  }
}
