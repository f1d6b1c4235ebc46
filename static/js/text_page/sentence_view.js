/** The two strings: what was read, tinted where the model looks, and what was written, to be pressed. */

/** @import {Palette, Scene, View} from "../core/types" */
/** @import {Segment} from "../core/segments.js" */

import { colour, inkOn } from "../core/colours.js";
import { positions } from "../core/heatmap.js";
import { kindOf, segments, shown } from "../core/segments.js";
import { lineNames } from "../core/sentences.js";
import { direction, named } from "../core/text.js";
import { box, element } from "../shell/dom.js";
import { keepInView } from "../shell/scrolling.js";

/** Past so many characters the strings are set smaller. */
const LONG = 160;
/** Below this share of the scale a tint would be a smudge. */
const SEEN = 0.03;

export class Reading {
  #read = box("read");
  #wrote = box("wrote");
  /** @type {{node: HTMLElement, items: number[]}[]} */
  #tinted = [];
  /** @type {HTMLElement[]} one per row */
  #pieces = [];
  /** @type {number[][]} */
  #shades = [];
  /** @type {Palette | null} */
  #palette = null;
  #rtl = false;
  /** What the nodes were made for. */
  #strings = "";

  /** @param {{select: (row: number) => void, peek: (row: number | null) => void}} wiring */
  constructor({ select, peek }) {
    /** @param {Event} event */
    const rowOf = (event) => {
      const piece = /** @type {Element} */ (event.target).closest("[data-row]");
      return piece instanceof HTMLElement ? Number(piece.dataset.row) : null;
    };
    this.#wrote.addEventListener("click", (event) => {
      const row = rowOf(event);
      if (row !== null) select(row);
    });
    this.#wrote.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") peek(rowOf(event));
    });
    this.#wrote.addEventListener("pointerleave", () => peek(null));
    this.#wrote.addEventListener("focusin", (event) => {
      const row = rowOf(event);
      if (row !== null && event.target instanceof Element && event.target.matches(":focus-visible")) select(row);
    });
  }

  /** @param {Scene} scene @param {Palette} palette */
  draw(scene, palette) {
    const { view } = scene;
    const names = lineNames(scene);
    this.#palette = palette;
    this.#shades = view.weights ? positions(view.weights, scene.scale, scene.log) : [];
    this.#rtl = direction(view.rowText) === "rtl";
    const kind = scene.model.granularity;
    box("read-name").textContent = names.column;
    box("wrote-name").textContent = names.row;
    // Another head looks at the same strings: they stay, and so does the layout.
    const strings = JSON.stringify([view.columnText, view.columns, view.rowText, view.rows, kind]);
    if (strings !== this.#strings) this.#lay(view, kind);
    this.#strings = strings;
  }

  /** @param {View} view @param {string} kind */
  #lay(view, kind) {
    this.#tinted = [];
    const read = segments(view.columnText, view.columns).map((segment) => {
      const stranger = segment.text.trim() && segment.items.some((index) => view.columns[index].stranger);
      const node = element("span", { class: `${kindOf(segment)}${stranger ? " stranger" : ""}` }, shown(segment));
      if (segment.items.length) this.#tinted.push({ node, items: segment.items });
      return node;
    });
    this.#fill(this.#read, view.columnText, kind, [
      element("span", { class: "visually-hidden" }, view.columnText),
      element("span", { "aria-hidden": "true" }, ...read),
    ]);
    this.#pieces = [];
    const wrote = segments(view.rowText, view.rows).map((segment) => this.#piece(segment, view));
    this.#fill(this.#wrote, view.rowText, kind, wrote);
  }

  /** @param {number} row @param {boolean} writing whether what comes after is still unwritten */
  at(row, writing) {
    const shades = this.#shades[row];
    const palette = this.#palette;
    for (const { node, items } of this.#tinted) {
      const shade = shades && palette ? Math.max(...items.map((index) => shades[index])) : 0;
      const background = palette && shade > SEEN ? colour(palette, shade) : "";
      node.style.backgroundColor = background;
      node.style.color = background && inkOn(background);
    }
    keepInView(this.#read, this.#tinted[strongestOf(this.#tinted, shades)]?.node);
    keepInView(this.#wrote, this.#pieces[row]);
    this.#pieces.forEach((piece, index) => {
      const current = piece === this.#pieces[row];
      piece.tabIndex = current ? 0 : -1;
      piece.toggleAttribute("data-unwritten", writing && index > row && !current);
      if (current) piece.setAttribute("aria-current", "step");
      else piece.removeAttribute("aria-current");
    });
  }

  /** Moves the keyboard along with the row. @param {number} row */
  focus(row) {
    this.#pieces[row]?.focus();
  }

  get holdsFocus() {
    return this.#wrote.contains(document.activeElement);
  }

  get rightToLeft() {
    return this.#rtl;
  }

  /** @param {Segment} segment @param {View} view */
  #piece(segment, view) {
    if (!segment.items.length) return element("span", {}, shown(segment));
    const row = segment.items[0];
    const label = `Step ${row + 1}, ${named(view.rows[row])}`;
    const node = element(
      "span",
      { role: "button", tabindex: -1, "data-row": row, "aria-label": label, class: kindOf(segment) },
      shown(segment),
    );
    for (const index of segment.items) this.#pieces[index] = node;
    return node;
  }

  /** @param {HTMLElement} line @param {string} text @param {string} kind @param {Node[]} nodes */
  #fill(line, text, kind, nodes) {
    line.dir = direction(text);
    line.dataset.kind = kind;
    line.toggleAttribute("data-long", text.length > LONG);
    line.replaceChildren(...nodes);
  }
}

/** @param {{items: number[]}[]} parts @param {number[] | undefined} shades the index of the most tinted */
function strongestOf(parts, shades) {
  if (!shades) return -1;
  const tints = parts.map(({ items }) => Math.max(...items.map((index) => shades[index])));
  return tints.indexOf(Math.max(...tints));
}
