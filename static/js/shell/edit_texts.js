/** The words before the edits, above those after: a bar under each for how much its steps moved. */

/** @import {Edit, Scene} from "../core/types" */
/** @import {Before} from "../core/edit_effect.js" */

import { beforeOf, effectOf } from "../core/edit_effect.js";
import { kindOf, shown } from "../core/segments.js";
import { direction, languageOf } from "../core/text.js";
import { html, set, setDirection, setLanguage } from "../draw/dom.js";

export class EditTexts {
  // The comparison has the texts of all models below its maps.
  #name = html.h2({ class: "line-name", hidden: true, "data-view-except": "compare" }, "Before");
  #line = html.p({
    ...{ id: "before", class: "line before", hidden: true },
    "data-view-except": "compare",
  });
  /** The words on the page. */
  #texts = "";
  /** The effect of the edits in a sentence; empty without any. */
  effect = "";

  constructor() {
    document.getElementById("wrote-name")?.before(this.#name, this.#line);
  }

  /** @param {Scene} scene @param {readonly Edit[]} edits @param {boolean} editing true if the text before is there ahead of the first edit, which would move what is dragged */
  draw(scene, edits, editing) {
    const { trace, view, units, model } = scene;
    const before = edits.length || editing ? beforeOf(trace, edits, units) : null;
    this.effect = edits.length ? effectOf(trace) : "";
    this.#name.hidden = this.#line.hidden = before === null;
    this.#mark(before && view.rowAxis === "target" ? before.changed : []);
    if (!before) return;
    const texts = JSON.stringify(before.pieces.map((piece) => [shown(piece), kindOf(piece)]));
    if (texts !== this.#texts) {
      this.#texts = texts;
      setLanguage(this.#line, languageOf(model, "target"));
      setDirection(this.#line, direction(before.text));
      this.#line.replaceChildren(...before.pieces.map(pieceOf));
    }
    // The same nodes: while a person drags, their words need no layout.
    before.pieces.forEach((piece, index) => {
      const node = this.#line.children[index];
      if (piece.items.length && node instanceof HTMLElement) mark(node, piece);
    });
  }

  /** Marks the words after the edits that are others. @param {boolean[]} changed by row */
  #mark(changed) {
    for (const piece of document.querySelectorAll("#wrote [data-row]"))
      piece.toggleAttribute(
        "data-changed",
        changed[Number(piece.getAttribute("data-row"))] ?? false,
      );
  }
}

/** @param {Before} piece */
const pieceOf = (piece) =>
  html.span(piece.items.length > 0 && { class: `${kindOf(piece)} edit-moved` }, shown(piece));

/** Shows how much a piece moved. @param {HTMLElement} node @param {Before} piece */
function mark(node, { kept, gone, height, title }) {
  const why = kept ? `${title}. It comes before the first edit, which cannot change it.` : title;
  set(node, "title", why);
  set(node, "data-kept", kept);
  set(node, "data-gone", gone);
  set(node, "--moved", height.toFixed(3));
}
