/** The headings of the map: HTML, so that they can be sticky, truncated and pressed. */

/** @import {Item} from "../core/types" */

import { heading } from "../core/text.js";
import { html } from "./dom.js";

/** @param {Item} item @param {string} name its CSS class @param {number} [row] the row that pressing it selects */
export function head(item, name, row) {
  const { text, quiet } = heading(item);
  return html.div(
    {
      class: name,
      title: item.text === "</s>" ? "The stop token (EOS)" : text,
      "data-row": row,
      "data-quiet": quiet,
    },
    html.span({ dir: "auto" }, text),
  );
}

/** Special tokens are smaller than words (heed.css), and their brackets may overlap the edge. */
const MARK = 0.52;

/** The width of a heading of the map. @param {Item} item */
export const headWidth = (item) => measure(heading(item).text) * (item.special ? MARK : 1);

/** @type {CanvasRenderingContext2D | null} */
let ruler = null;
/** The font of the page. */
let family = "";
/** The font of the ruler, which takes longer to set than a word to measure. */
let font = "";

/** The width of a text, by default in the size of a heading. @param {string} text @param {number} [size] */
export function measure(text, size = 14) {
  ruler ??= document.createElement("canvas").getContext("2d");
  if (!ruler) return text.length * size * 0.57;
  family ||= getComputedStyle(document.body).fontFamily;
  const wanted = `${size}px ${family}`;
  if (wanted !== font) ruler.font = font = wanted;
  return ruler.measureText(text).width;
}
