/** The words before the edits, above those after: a bar under each for how much its steps moved. */

/** @import {Edit, Scene} from "../core/types" */
/** @import {Before} from "../core/edit_effect.js" */

import { beforeOf, effectOf } from "../core/edit_effect.js";
import { kindOf, shown } from "../core/segments.js";
import { direction, languageOf } from "../core/text.js";
import { html, place, setDirection, setLanguage } from "../draw/dom.js";

export class EditTexts {
  // The comparison has the texts of all models below its maps.
  #name = html.h2({ class: "line-name", hidden: true, "data-view-except": "compare" }, "Before");
  #line = html.p({
    ...{ id: "before", class: "line before", hidden: true },
    "data-view-except": "compare",
  });
  /** The pieces on the page. */
  #drawn = "";
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
    const drawn = JSON.stringify(before.pieces);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    setLanguage(this.#line, languageOf(model, "target"));
    setDirection(this.#line, direction(before.text));
    place(this.#line, before.pieces.map(pieceOf));
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
function pieceOf(piece) {
  const { items, kept, gone, height, title } = piece;
  if (!items.length) return html.span(shown(piece));
  return html.span(
    {
      class: `${kindOf(piece)} edit-moved`,
      title: kept ? `${title}. It comes before the first edit, which cannot change it.` : title,
      "data-kept": kept,
      "data-gone": gone,
      "--moved": height.toFixed(3),
    },
    shown(piece),
  );
}
