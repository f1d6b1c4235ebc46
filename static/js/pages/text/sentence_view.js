/** The two texts: the input, tinted by the attention, and the output as buttons. */

/** @import {Item, Palette, Scene, Settings, View} from "../../core/types" */
/** @import {PartWiring} from "../../shell/types" */
/** @import {RowState} from "../../views/types" */
/** @import {Segment} from "../../core/segments.js" */

import { decodingNote } from "../../core/decoding.js";
import { heatmapOf } from "../../core/heatmap.js";
import { kindOf, segments, shown } from "../../core/segments.js";
import { direction, languageOf, named } from "../../core/text.js";
import { box, html, sayAny, setLanguage } from "../../draw/dom.js";
import { followRows, markCurrent, tint } from "../../draw/rows.js";
import { keepInView } from "../../draw/scrolling.js";

/** Longer texts, in characters, are set in smaller type. */
const LONG = 160;
const MADE_UP = "In no training text: the model made this word up of pieces";

export class SentenceView {
  #read = box("read");
  #wrote = box("wrote");
  #decoding = html.p({ id: "decoding", class: "note unread", hidden: true });
  /** @type {{node: HTMLElement, items: number[]}[]} */
  #tinted = [];
  /** @type {HTMLElement[]} one per row */
  #pieces = [];
  /** @type {import("../../core/heatmap.js").Heatmap | null} */
  #heat = null;
  #rtl = false;
  /** The texts and items that the nodes show. */
  #strings = "";

  /** @param {PartWiring<Settings>} wiring */
  constructor({ select, peek }) {
    this.#wrote.after(this.#decoding);
    followRows(this.#wrote, { select, peek });
  }

  /** @param {Scene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    const { view, model } = scene;
    const names = scene.kind.lines(scene);
    this.#heat = view.weights && heatmapOf(view.weights, { ...scene, palette });
    this.#rtl = direction(view.rowText) === "rtl";
    const kind = scene.model.granularity;
    box("read-name").textContent = names.column;
    box("wrote-name").textContent = names.row;
    sayAny(this.#decoding, decodingNote(scene.trace, scene.output));
    setLanguage(this.#read, languageOf(model, view.columnAxis));
    setLanguage(this.#wrote, languageOf(model, view.rowAxis));
    // Another head has the same texts: they stay, and so does the layout.
    const strings = JSON.stringify([view.columnText, view.columns, view.rowText, view.rows, kind]);
    if (strings !== this.#strings) this.#build(view, kind);
    this.#strings = strings;
  }

  /** @param {View} view @param {string} kind */
  #build(view, kind) {
    this.#tinted = [];
    const read = segments(view.columnText, view.columns).map((segment) => {
      const rare = segment.text.trim() && segment.items.some((index) => view.columns[index]?.rare);
      const kinds = `${kindOf(segment)}${rare ? " rare" : ""}${answered(segment, view.columns)}`;
      const node = html.span({ class: kinds }, shown(segment));
      if (segment.items.length) this.#tinted.push({ node, items: segment.items });
      return node;
    });
    this.#fill(this.#read, view.columnText, kind, [
      html.span({ class: "visually-hidden" }, view.columnText),
      html.span({ "aria-hidden": "true" }, read),
    ]);
    this.#pieces = [];
    const wrote = segments(view.rowText, view.rows).map((segment) => this.#piece(segment, view));
    this.#fill(this.#wrote, view.rowText, kind, wrote);
  }

  /** @param {Scene} _ @param {number} row @param {RowState} state */
  at(_, row, { playing, known }) {
    const heat = this.#heat;
    const shades = heat?.positions[row];
    for (const { node, items } of this.#tinted) {
      const shade = shades ? Math.max(...items.map((index) => shades[index] ?? 0)) : 0;
      tint(node, shade, heat?.colourOf);
    }
    markCurrent(this.#pieces, row, playing, known);
    keepInView(this.#read, this.#tinted[strongestOf(this.#tinted, shades)]?.node);
    keepInView(this.#wrote, this.#pieces[row]);
  }

  /** Moves the keyboard focus to the row. @param {number} row */
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
    const [row] = segment.items;
    const item = row !== undefined && view.rows[row];
    if (!item) return html.span(shown(segment));
    const madeUp = segment.items.some((index) => view.rows[index]?.madeUp);
    const label = `Step ${row + 1}, ${named(item)}${madeUp ? ", made up" : ""}`;
    const node = html.span(
      {
        role: "button",
        tabindex: -1,
        "data-row": row,
        "aria-label": label,
        class: `${kindOf(segment)}${madeUp ? " made-up" : ""}${answered(segment, view.rows)}`,
        title: madeUp ? MADE_UP : null,
      },
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

/** The class of words that were written behind a prompt. @param {Segment} segment @param {Item[]} items */
const answered = (segment, items) =>
  segment.items.some((index) => items[index]?.answer) ? " answer" : "";

/** The index of the part with the strongest tint. @param {{items: number[]}[]} parts @param {number[] | undefined} shades */
function strongestOf(parts, shades) {
  if (!shades) return -1;
  const tints = parts.map(({ items }) => Math.max(...items.map((index) => shades[index] ?? 0)));
  return tints.indexOf(Math.max(...tints));
}
