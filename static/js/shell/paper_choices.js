/** The choices for figures: what is in the files, in which colours, and how wide. */

/** @import {PaperChoices} from "../core/types" */

/** In millimetres. */
const NARROWEST = 30;
const WIDEST = 500;

/** A width that paper may have; null if none is chosen. @param {number} chosen */
export const widthOf = (chosen) =>
  chosen > 0 ? Math.min(WIDEST, Math.max(NARROWEST, chosen)) : null;

/** The choices; undefined on a page without the choices. @returns {PaperChoices | undefined} */
export function paperChoices() {
  const [header, numbers, width] = ["header", "numbers", "width"].map(
    (name) => /** @type {HTMLInputElement | null} */ (document.getElementById(`paper-${name}`)),
  );
  const colours = document.getElementById("paper-colours");
  if (!header || !width || !(colours instanceof HTMLSelectElement)) return undefined;
  return {
    header: header.checked,
    numbers: numbers?.checked ?? true, // figures over a photo have none
    colours: /** @type {PaperChoices["colours"]} */ (colours.value),
    millimetres: widthOf(width.valueAsNumber),
  };
}
