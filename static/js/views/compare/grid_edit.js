/** Edits in the comparison of captions: the rows are their words, each with its map over the photo. */

/** @import {PictureScene} from "../../core/types" */
/** @import {CellEditor} from "../types" */
/** @import {Rows} from "./given_rows.js" */

import { shownAspect } from "../../core/photo_map.js";
import { around, set } from "../../draw/dom.js";
import { numberAt } from "../../draw/rows.js";
import { panel } from "../photo/overlay.js";
import { GivenRows } from "./given_rows.js";

/** @type {Rows} */
const ROWS = {
  map: ".card-text",
  region: ".card-text",
  role: null,
  moves: { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 },
  below({ target }) {
    const photo = around({ target }, ".card-photo");
    return photo ? Number(photo.getAttribute("data-row")) : numberAt({ target }, "place");
  },
  refusal: () => "",
  mark(card, marks) {
    const words = /** @type {NodeListOf<HTMLElement>} */ (card.querySelectorAll("[data-place]"));
    const { chosen, taken, aim } = marks ?? { chosen: null, taken: null, aim: null };
    const byKeys = card.querySelector(".card-text:focus-visible") ? chosen : null;
    /** @type {Map<number | null, string>} */
    const names = new Map([
      [byKeys, "chosen"],
      [taken, "taken"],
      [aim, "aim"],
    ]);
    words.forEach((word, row) => set(word, "data-mark", names.get(row)));
    set(card, "data-held", aim ?? taken ?? byKeys);
    card.dispatchEvent(new Event("held", { bubbles: true }));
  },
  ghost({ scene, row }) {
    const photo = /** @type {PictureScene} */ (scene);
    return panel(photo, row, shownAspect(photo.trace.picture));
  },
};

export class Edit extends GivenRows {
  /** @param {CellEditor} editor @param {HTMLElement} place */
  constructor(editor, place) {
    super(editor, place, ROWS);
  }
}
