/** The sentence: its words, shaded by the weights of the current one, over bars of their surprise. */

/** @import {Palette, ReadingSettings, Scene} from "../../core/types" */
/** @import {Heatmap} from "../../core/heatmap.js" */
/** @import {PartWiring} from "../../shell/types" */
/** @import {RowState} from "../../views/types" */

import { heatmapOf } from "../../core/heatmap.js";
import { surpriseShare } from "../../core/reading_scene.js";
import { heading, named, percent } from "../../core/text.js";
import { box, html } from "../../draw/dom.js";
import { followRows, markCurrent, tint } from "../../draw/rows.js";

export class Words {
  #line = box("words");
  /** A piece for each row. @type {HTMLElement[]} */
  #pieces = [];
  /** @type {Heatmap | null} */
  #heat = null;

  /** @param {PartWiring<ReadingSettings>} wiring */
  constructor({ select, peek }) {
    followRows(this.#line, { select, peek });
  }

  /** @param {Scene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    const { view, trace } = scene;
    this.#heat = view.weights && heatmapOf(view.weights, { ...scene, palette });
    const unknown = new Set(trace.source.rare_words);
    const held = this.holdsFocus;
    this.#pieces = view.rows.map((item, row) => {
      const { text, quiet } = heading(item);
      const step = trace.steps[row];
      const chance = step ? `, probability ${percent(step.probability)}` : "";
      const share = surpriseShare(step).toFixed(3);
      return html.span(
        {
          role: "button",
          tabindex: -1,
          class: "read-word",
          "data-row": row,
          "data-quiet": quiet,
          "aria-label": `${named(item)}${chance}`,
          title: unknown.has(row) ? "Unknown to this model" : null,
        },
        html.span({ class: unknown.has(row) ? "rare" : null, dir: "auto" }, text),
        html.span({ class: "surprise", "aria-hidden": "true", "--share": share }),
      );
    });
    this.#line.replaceChildren(...this.#pieces);
    if (held) this.focus(scene.row);
  }

  /** @param {Scene} _ @param {number} row @param {RowState} state */
  at(_, row, { playing, known }) {
    this.#pieces.forEach((piece, place) => {
      // The word in place i is the key of column i + 1, behind the start.
      const shade = place < row ? (this.#heat?.positions[row]?.[place + 1] ?? 0) : 0;
      tint(piece, shade, this.#heat?.colourOf);
    });
    markCurrent(this.#pieces, row, playing, known);
  }

  /** Moves the keyboard focus to a word. @param {number} row */
  focus(row) {
    this.#pieces[row]?.focus();
  }

  get holdsFocus() {
    return this.#line.contains(document.activeElement);
  }
}
