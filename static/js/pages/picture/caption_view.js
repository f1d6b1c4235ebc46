/** The caption as buttons, and beside the photo a list of its words with a number each. */

/** @import {Palette, PictureScene, PictureSettings} from "../../core/types" */
/** @import {PartWiring} from "../../shell/types" */
/** @import {RowState} from "../../views/types" */

import { colour } from "../../core/colours.js";
import { decodingNote, isGiven, outputName } from "../../core/decoding.js";
import { kindOf, segments, shown } from "../../core/segments.js";
import { guessNote, readingNote } from "../../core/word_notes.js";
import { direction, heading, named, percent } from "../../core/text.js";
import { box, html, sayAny } from "../../draw/dom.js";
import { followRows, markCurrent, tint } from "../../draw/rows.js";
import { gateOf, attentionTo, probabilityOf } from "../../core/grid_scene.js";
import { selectionNote } from "../../core/grid_sentences.js";

/** A word below this probability is marked as a guess. */
const SURE = 0.15;

export class CaptionView {
  #wrote = box("wrote");
  #question = box("question-read");
  #list = box("words");
  #decoding = html.p({ id: "decoding", class: "note", hidden: true });
  /** @type {HTMLElement[]} one per row */
  #pieces = [];
  /** @type {{node: HTMLElement, items: number[]}[]} */
  #read = [];
  /** @type {PictureScene | null} */
  #scene = null;
  /** @type {((share: number) => string) | undefined} */
  #colourOf;

  /** @param {PartWiring<PictureSettings>} wiring */
  constructor({ select, peek, change }) {
    box("let-go").addEventListener("click", () => change({ cells: [] }));
    this.#wrote.after(this.#decoding);
    for (const line of [this.#wrote, this.#list]) followRows(line, { select, peek });
  }

  /** @param {PictureScene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    this.#scene = scene;
    this.#colourOf = (share) => colour(palette, share);
    const { output, rows } = scene;
    const name = outputName(scene.model);
    box("wrote-name").textContent = isGiven(scene.trace, output)
      ? `Given ${name}`
      : name.replace(/^./, (letter) => letter.toUpperCase());
    sayAny(this.#decoding, decodingNote(scene.trace, output));
    this.#pieces = [];
    const attended = scene.cells.length ? attentionTo(scene.weights, scene.cells) : null;
    const most = attended ? Math.max(...attended, 1e-9) : 1;
    const nodes = segments(output.text, rows).map((segment) => {
      const text = shown(segment);
      const [row] = segment.items;
      const item = row !== undefined && rows[row];
      if (!item) return html.span(text);
      const share = attended?.[row] ?? 0;
      const shade = share / most;
      const gate = gateOf(scene, row);
      const guessed = !segment.special && isGuess(scene, row);
      const said = `Step ${row + 1}, ${named(item)}${guessed ? ", a guess" : ""}${attended ? `, attention ${share.toFixed(2)} to the selected places` : ""}`;
      const bar =
        gate !== null &&
        html.i({
          class: "gate",
          "aria-hidden": "true",
          title: `Gate β = ${gate.toFixed(2)}: how much the picture counted for this word`,
          "--share": gate,
        });
      const node = html.span(
        {
          role: "button",
          tabindex: -1,
          "data-row": row,
          "aria-label": said,
          class: segment.special ? "mark" : "piece",
          "data-guess": guessed,
        },
        text,
        bar,
      );
      tint(node, shade, this.#colourOf);
      for (const index of segment.items) this.#pieces[index] = node;
      return node;
    });
    this.#wrote.dir = direction(output.text);
    this.#wrote.toggleAttribute(
      "data-gated",
      nodes.some((node) => node.querySelector(".gate")),
    );
    this.#wrote.replaceChildren(...nodes);
    sayAny(box("learned"), learnedNote(scene));
    this.#drawQuestion(scene);
    this.#drawList(scene, attended);
  }

  /** Draws the question; its words are tinted by the attention of the row. @param {PictureScene} scene */
  #drawQuestion({ asked, trace, output }) {
    const unread = trace.question ? readingNote(trace.question) : "";
    sayAny(box("unread"), [unread, guessNote(output)].filter(Boolean).join(" "));
    box("question-line").hidden = !asked;
    this.#read = [];
    if (!asked) return this.#question.replaceChildren();
    const nodes = segments(asked.text, asked.words).map((segment) => {
      const node = html.span({ class: kindOf(segment) }, shown(segment));
      if (segment.items.length) this.#read.push({ node, items: segment.items });
      return node;
    });
    this.#question.dir = direction(asked.text);
    this.#question.replaceChildren(...nodes);
  }

  /** Draws a line for each word with its attention to the selection, else its gate, else its probability. @param {PictureScene} scene @param {number[] | null} attended */
  #drawList(scene, attended) {
    const gated = !attended && scene.rows.some((_, row) => gateOf(scene, row) !== null);
    box("words-name").textContent = attended
      ? "Attention to the selection"
      : gated
        ? "Gate β: how much the picture counted for each word"
        : "Probability of each word";
    box("words-note").textContent = selectionNote(scene);
    box("let-go").hidden = !attended;
    const values = scene.rows.map((_, row) =>
      attended ? attended[row] : gated ? gateOf(scene, row) : probabilityOf(scene, row),
    );
    const most = attended ? Math.max(...attended, 1e-9) : 1;
    const lines = scene.rows.map((item, row) => {
      const value = values[row] ?? null;
      const label = heading(item);
      const share = (value ?? 0) / most;
      const number = value === null ? "–" : attended ? value.toFixed(3) : percent(value);
      return html.li(
        { "data-row": row },
        html.span({ class: "bar-label", "data-quiet": label.quiet, dir: "auto" }, label.text),
        html.span({ class: "bar", "aria-hidden": "true", "--share": share }),
        html.span({ class: "number" }, number),
      );
    });
    this.#list.toggleAttribute("data-selected", Boolean(attended));
    this.#list.replaceChildren(...lines);
  }

  /** @param {PictureScene} _ @param {number} row @param {RowState} state */
  at(_, row, { playing, known }) {
    markCurrent(this.#pieces, row, playing, known);
    [...this.#list.children].forEach((line, index) =>
      line.toggleAttribute("data-current", index === row),
    );
    const weights = this.#scene?.asked?.weights[row];
    const most = Math.max(...(weights ?? [0]), 1e-9);
    for (const { node, items } of this.#read) {
      const weight = Math.max(0, ...items.map((index) => weights?.[index] ?? 0));
      tint(node, weight / most, this.#colourOf);
      node.title = `α ${weight.toFixed(3)}`;
    }
  }

  /** Moves the keyboard focus to the row. @param {number} row */
  focus(row) {
    this.#pieces[row]?.focus();
  }

  get holdsFocus() {
    return this.#wrote.contains(document.activeElement);
  }
}

/** Whether the model was not sure of the word of a row. @param {PictureScene} scene @param {number} row */
function isGuess(scene, row) {
  const probability = probabilityOf(scene, row);
  return probability !== null && probability < SURE;
}

/** What the model learned from, and what a mark below a word means. @param {PictureScene} scene */
function learnedNote(scene) {
  const guesses = scene.rows.some((item, row) => !item.special && isGuess(scene, row));
  return [
    scene.model.learned_from && `Learned from ${scene.model.learned_from}.`,
    guesses && `Dotted: a guess, with a probability under ${100 * SURE}\u00a0%.`,
  ]
    .filter(Boolean)
    .join(" ");
}
