/** Arcs between the words of one sentence, drawn as SVG. A word is selected with the pointer or the keyboard. */

/** @import {Scene, Settings, Trace} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */
/** @import {Arc, Drawing, Point} from "./model.js" */

import { listed, strongest } from "../../core/sentences.js";
import { languageOf, named, weight } from "../../core/text.js";
import { element, say, slide, svg } from "../../draw/dom.js";
import { measure } from "../../draw/headings.js";
import { Tooltip } from "../../draw/tooltip.js";
import { arcsFrom, arcsOf, layOut, widthOf } from "./model.js";

/** Words are larger here than in the headings of the map, for which text is measured. */
const LARGER = 16 / 14;
/** Height of the area that takes the pointer for a word. */
const TARGET = 28;
const LIMITS = { min: 1, max: 50 };

/** @typedef {{arc: Arc, node: SVGElement}} DrawnArc */

export class View {
  #box = element("div", {
    class: "arcs-drawing",
    tabindex: -1,
    role: "region",
    "aria-label": "Arcs between the words",
  });
  #least = element("input", { type: "range", id: "least", step: 1, ...LIMITS });
  #now = element("output", { for: "least", class: "number note" });
  #all = svg("g", { class: "arcs-all" });
  #current = svg("g", { class: "arcs-current" });
  #words = svg("g", {});
  #numbers = svg("g", { class: "arcs-numbers" });
  #picture = svg("svg", { role: "group", direction: "ltr" });
  #tooltip = new Tooltip();
  /** @type {Scene | null} */
  #scene = null;
  /** @type {Drawing | null} */
  #drawing = null;
  /** @type {DrawnArc[]} */
  #arcs = [];
  /** @type {SVGElement[]} */
  #pieces = [];
  /** The row whose arcs are drawn. @type {number | null} */
  #shown = null;

  /** @param {Pick<ViewWiring<Pick<Settings, "least">, Trace>, "place" | "select" | "peek" | "change">} wiring */
  constructor({ place, select, peek, change }) {
    place.classList.add("arcs");
    this.#picture.append(this.#all, this.#current, this.#words, this.#numbers);
    this.#box.append(this.#picture);
    const name = element("label", { for: "least", class: "note" }, "show weights from");
    const control = element("div", { class: "least" }, name, this.#least, this.#now);
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
    this.#words.addEventListener("focusin", (event) => {
      const { row } = placeOf(event);
      const seen = event.target instanceof Element && event.target.matches(":focus-visible");
      if (row !== null && seen && row !== this.#scene?.row) select(row);
    });
  }

  /** @param {Scene} scene */
  draw(scene) {
    this.#scene = scene;
    this.#tooltip.hide();
    const least = Math.round(scene.least * 100);
    slide(this.#least, least, `${least} %`);
    say(this.#now, `${least}\u00a0%`);
    if (!scene.view.weights) return;
    const drawing = layOut(scene.view, {
      room: this.#box.clientWidth - 2,
      measure: (text) => measure(text) * LARGER,
    });
    this.#drawing = drawing;
    this.#shown = null;
    this.#arcs = arcsOf(scene.view, scene.least).map((arc) => ({ arc, node: line(arc, drawing) }));
    this.#all.replaceChildren(...this.#arcs.map(({ node }) => node));
    const { width, height, points } = drawing;
    for (const [name, value] of Object.entries({ width, height }))
      this.#picture.setAttribute(name, value.toFixed(0));
    this.#picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.#picture.setAttribute(
      "aria-label",
      `Arcs between ${points.length} words, as wide as their weights. The table below has the same numbers.`,
    );
    const held = this.#holdsFocus;
    const language = languageOf(scene.model, scene.view.rowAxis);
    this.#pieces = points.map((point) => word(point, drawing, scene, language));
    this.#words.replaceChildren(...this.#pieces);
    this.#box.toggleAttribute("data-across", drawing.across);
    if (held) this.#pieceOf(scene.row)?.focus({ preventScroll: true });
  }

  /** @param {number} row @param {RowState} state */
  at(row, { playing, peeking }) {
    const [scene, drawing] = [this.#scene, this.#drawing];
    if (!scene || !drawing) return;
    const { view } = scene;
    const hides = playing && view.columnAxis === "decoder_input";
    if (row !== this.#shown) this.#light(row, view, drawing);
    for (const { arc, node } of this.#arcs) {
      node.toggleAttribute("data-unwritten", playing && arc.row > row);
    }
    drawing.points.forEach((point, index) => {
      const piece = this.#pieces[index];
      const current = point.row === row;
      piece.toggleAttribute("data-current", current);
      piece.toggleAttribute("data-unwritten", hides && (point.row ?? -1) > row);
      if (peeking || point.row === null) return; // the selected word keeps the keyboard
      piece.setAttribute("tabindex", current ? "0" : "-1");
      if (current) piece.setAttribute("aria-current", "step");
      else piece.removeAttribute("aria-current");
    });
    if (!peeking && this.#holdsFocus) this.#pieceOf(row)?.focus({ preventScroll: true });
  }

  /** Draws the arcs of a row, and its weights. @param {number} row @param {Scene["view"]} view @param {Drawing} drawing */
  #light(row, view, drawing) {
    this.#shown = row;
    const own = arcsFrom(view, row);
    const read = new Set(own.map(({ column }) => column));
    for (const { arc, node } of this.#arcs) node.toggleAttribute("data-own", arc.row === row);
    this.#current.replaceChildren(...own.map((arc) => line(arc, drawing)));
    this.#numbers.replaceChildren(...own.map((arc) => number(arc, drawing)));
    drawing.points.forEach(({ column }, index) =>
      this.#pieces[index].toggleAttribute("data-lit", column !== null && read.has(column)),
    );
  }

  get #holdsFocus() {
    return this.#words.contains(document.activeElement);
  }

  /** @param {number} row */
  #pieceOf(row) {
    const place = this.#drawing?.points.findIndex((point) => point.row === row) ?? -1;
    return this.#pieces[place];
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

/** @param {Arc} arc @param {Drawing} drawing */
const line = (arc, drawing) =>
  svg("path", {
    d: drawing.path(arc),
    class: "arc",
    "stroke-width": widthOf(arc.weight).toFixed(2),
    "data-row": arc.row,
    "data-column": arc.column,
  });

/** The weight of an arc, beside the word that it leads to. @param {Arc} arc @param {Drawing} drawing */
function number(arc, drawing) {
  const { x, y } = drawing.numberOf(arc);
  const text = svg("text", {
    x: x + drawing.numbers.x,
    y: y + drawing.numbers.y,
    "text-anchor": drawing.across ? "middle" : "start",
    "dominant-baseline": drawing.across ? "auto" : "central",
  });
  text.textContent = weight(arc.weight);
  return text;
}

/** @param {Point} point @param {Drawing} drawing @param {Scene} scene @param {string} language */
function word(point, { across }, scene, language) {
  const { x, y, wide, row } = point;
  const text = svg("text", {
    x,
    y,
    "text-anchor": across ? "middle" : "start",
    "dominant-baseline": across ? "auto" : "central",
  });
  text.textContent = point.text;
  const area = svg("rect", {
    class: "arcs-target",
    x: (across ? x - wide / 2 : x) - 6,
    y: across ? y - TARGET / 2 - 6 : y - TARGET / 2,
    width: wide + 12,
    height: TARGET,
    rx: 4,
  });
  const group = svg("g", {
    class: "arcs-word",
    role: row === null ? null : "button",
    tabindex: row === null ? null : -1,
    "data-row": row,
    "data-quiet": point.quiet,
    "aria-label": row === null ? null : described(scene, row),
    lang: language || null,
  });
  group.append(area, text);
  return group;
}

/** A word with those that it leans on most. @param {Scene} scene @param {number} row */
function described({ view }, row) {
  const weights = view.weights?.[row] ?? [];
  const most = strongest(weights).map(
    (column) => `${named(view.columns[column])} (${weight(weights[column])})`,
  );
  return `${named(view.rows[row])}: ${listed(most)}`;
}
