/** Arcs between the words of one sentence, drawn as SVG. A word is selected with the pointer or the keyboard. */

/** @import {Palette, Scene, Settings, Trace} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */

import { html, say, slide } from "../../draw/dom.js";
import { measure } from "../../draw/headings.js";
import { onScreen } from "../../draw/ink.js";
import { Drawing } from "../../draw/page.js";
import { LEAST_ROOM, fillsWindow, roomBelow } from "../../draw/scrolling.js";
import { Tooltip } from "../../draw/tooltip.js";
import { SIZE, arcsDrawing } from "./marks.js";
import { layOut } from "./model.js";

/** Room below the drawing. */
const BELOW = 16;
const LIMITS = { min: 1, max: 50 };

export class View {
  #box = html.div({
    class: "arcs-drawing",
    tabindex: -1,
    role: "region",
    "aria-label": "Arcs between the words",
  });
  #least = html.input({ type: "range", id: "least", step: 1, ...LIMITS });
  #now = html.output({ for: "least", class: "number note" });
  #picture = new Drawing({ role: "group" });
  #tooltip = new Tooltip();
  /** @type {Scene | null} */
  #scene = null;
  /** @type {ReturnType<typeof arcsDrawing> | null} */
  #marks = null;
  #selected = 0;

  /** @param {Pick<ViewWiring<Pick<Settings, "least">, Trace>, "place" | "select" | "peek" | "change">} wiring */
  constructor({ place, select, peek, change }) {
    place.classList.add("arcs");
    this.#box.append(this.#picture.node);
    const name = html.label({ for: "least", class: "note" }, "show weights from");
    const control = html.div({ class: "least" }, name, this.#least, this.#now);
    place.replaceChildren(control, this.#box);
    this.#least.addEventListener("input", () => change({ least: Number(this.#least.value) }));
    this.#box.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "mouse") return;
      const { row, column } = placeOf(event);
      peek(row);
      this.#explain(event, row, column);
    });
    this.#box.addEventListener("pointerleave", () => {
      this.#tooltip.hide();
      peek(null);
    });
    this.#box.addEventListener("click", (event) => {
      const { row } = placeOf(event);
      if (row === null) return;
      select(row);
      this.#pieceOf(row)?.focus({ preventScroll: true });
    });
    this.#box.addEventListener("focusin", (event) => {
      const { row } = placeOf(event);
      const seen = event.target instanceof Element && event.target.matches(":focus-visible");
      if (row !== null && seen && row !== this.#scene?.row) select(row);
    });
  }

  /** @param {Scene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    this.#scene = scene;
    this.#tooltip.hide();
    const least = Math.round(scene.least * 100);
    slide(this.#least, least, `${least} %`);
    say(this.#now, `${least}\u00a0%`);
    if (!scene.view.weights) return;
    const laid = layOut(scene.view, {
      room: this.#box.clientWidth - 2,
      height: roomBelow(this.#box, LEAST_ROOM) - BELOW,
      fits: fillsWindow(),
      measure: (text) => measure(text, SIZE),
    });
    this.#marks = arcsDrawing(scene, laid, onScreen(palette));
    this.#picture.size(
      laid,
      `Arcs between ${laid.points.length} words, as wide as their weights. The table below has the same numbers.`,
    );
    this.#box.toggleAttribute("data-across", laid.across);
    this.#box.style.setProperty("--word", laid.tall && !laid.dense ? `${laid.tall - 2}px` : "2rem");
  }

  /** @param {number} row @param {RowState} state */
  at(row, { playing, peeking }) {
    if (!this.#marks) return;
    if (!peeking) this.#selected = row;
    const held = this.#holdsFocus;
    const until = playing ? row : Infinity;
    this.#picture.show(this.#marks({ row, until, selected: this.#selected }));
    if (held && !peeking) this.#pieceOf(row)?.focus({ preventScroll: true });
  }

  get #holdsFocus() {
    return this.#picture.node.contains(document.activeElement);
  }

  /** @param {number} row @returns {SVGElement | null} */
  #pieceOf(row) {
    return this.#picture.node.querySelector(`.arcs-word[data-row="${row}"]`);
  }

  /** Shows the number of the arc under the pointer. @param {PointerEvent} event @param {number | null} row @param {number | null} column */
  #explain(event, row, column) {
    const view = this.#scene?.view;
    if (view && row !== null && column !== null)
      this.#tooltip.show(view, row, column, new DOMRect(event.clientX, event.clientY - 4, 0, 8));
    else this.#tooltip.hide();
  }
}

/** @param {Event} event @returns {{row: number | null, column: number | null}} */
function placeOf(event) {
  const found = event.target instanceof Element ? event.target.closest("[data-row]") : null;
  if (!(found instanceof SVGElement)) return { row: null, column: null };
  const { row, column } = found.dataset;
  return { row: Number(row), column: column === undefined ? null : Number(column) };
}
