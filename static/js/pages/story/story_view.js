/** The story as a list of sentences, shaded by the weight of the current hop, with every hop beside it. */

/** @import {Palette, StoryScene, StorySettings} from "../../core/types" */
/** @import {Heatmap} from "../../core/heatmap.js" */
/** @import {PartWiring} from "../../shell/types" */
/** @import {RowState} from "../../views/types" */

import { inkOn } from "../../core/colours.js";
import { differenceOf, heatmapOf } from "../../core/heatmap.js";
import { cutAtUnknown, unknownWords } from "../../core/kinds/sentences.js";
import { signed, visible, weight } from "../../core/text.js";
import { box, html, say } from "../../draw/dom.js";
import { followRows, markCurrent, tint } from "../../draw/rows.js";

/** Smaller weights have no number, as in the map. */
const SHOWN = 0.005;
const EMPTY =
  "The network attends to this empty sentence when no sentence of the story gives an answer.";

/** @typedef {{text: HTMLElement, cells: HTMLElement[]}} Line of a sentence */

export class StoryView {
  #list = box("story-lines");
  #hops = box("hops");
  /** @type {Line[]} */
  #lines = [];
  /** @type {HTMLElement[]} a button for each hop */
  #pieces = [];
  /** @type {Heatmap | null} */
  #heat = null;
  /** The texts that the nodes show. */
  #strings = "";

  /** @param {PartWiring<StorySettings>} wiring */
  constructor({ select, peek }) {
    for (const place of [this.#list, this.#hops]) followRows(place, { select, peek });
  }

  /** @param {StoryScene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    const { view, trace } = scene;
    const { weights, difference } = view;
    const shown = difference ?? weights;
    this.#heat = difference
      ? differenceOf(difference, palette)
      : weights && heatmapOf(weights, { ...scene, palette });
    const strings = JSON.stringify([trace.source, trace.question, view.rows.length]);
    if (strings !== this.#strings) this.#build(scene);
    this.#strings = strings;
    this.#lines.forEach(({ cells }, sentence) =>
      cells.forEach((cell, hop) => {
        cell.style.backgroundColor = this.#heat?.colourAt(hop, sentence) ?? "";
        const value = shown?.[hop]?.[sentence] ?? 0;
        cell.style.color = this.#heat ? inkOn(this.#heat.colourAt(hop, sentence)) : "";
        const number = difference ? signed(value, 2) : weight(value);
        cell.title = `hop ${hop + 1}: ${number}`;
        say(cell, Math.abs(value) < SHOWN ? "" : number);
      }),
    );
  }

  /** @param {StoryScene} scene */
  #build({ view, trace: { source, question } }) {
    const { rows, columns } = view;
    this.#list.style.setProperty("--hops", String(rows.length));
    this.#list.style.setProperty("--sentences", String(columns.length));
    this.#hops.style.setProperty("--hops", String(rows.length));
    box("question-read").replaceChildren(...marked(question.text, 0, unknownWords(question)));
    this.#pieces = rows.map((_, row) =>
      html.span(
        { role: "button", tabindex: -1, "data-row": row, "aria-label": `Hop ${row + 1}` },
        String(row + 1),
      ),
    );
    this.#hops.replaceChildren(
      html.span({ class: "note", "aria-hidden": "true" }, "hop"),
      ...this.#pieces,
    );
    this.#lines = columns.map((item, sentence) => ({
      text: html.span(
        {
          class: item.special ? "story-empty" : "story-text",
          dir: "auto",
          "data-column": sentence,
          title: item.special ? EMPTY : null,
        },
        item.special ? ["no sentence"] : marked(item.text, item.start, source.unknown_words),
      ),
      cells: rows.map((_, hop) =>
        html.span({ class: "story-cell number", "data-row": hop, "data-column": sentence }),
      ),
    }));
    this.#list.replaceChildren(
      ...this.#lines.map(({ text, cells }) =>
        html.li(text, html.span({ class: "story-cells" }, cells)),
      ),
    );
  }

  /** @param {StoryScene} _ @param {number} row @param {RowState} state */
  at(_, row, { playing }) {
    const heat = this.#heat;
    this.#lines.forEach(({ text, cells }, sentence) => {
      const shade = heat?.positions[row]?.[sentence] ?? 0;
      tint(text, shade, heat?.colourOf);
      cells.forEach((cell, hop) => {
        cell.toggleAttribute("data-current", hop === row);
        cell.toggleAttribute("data-unwritten", playing && hop > row);
      });
    });
    markCurrent(this.#pieces, row, false);
  }

  /** Moves the keyboard focus to the hop. @param {number} row */
  focus(row) {
    this.#pieces[row]?.focus();
  }

  get holdsFocus() {
    return this.#hops.contains(document.activeElement);
  }
}

/** A text whose unknown words are marked. @param {string} text @param {number} start @param {{start: number, end: number}[]} unknown */
const marked = (text, start, unknown) =>
  cutAtUnknown(text, start, unknown).map((part) =>
    part.unknown
      ? html.span({ class: "rare", title: "Unknown to this model" }, visible(part.text))
      : visible(part.text),
  );
