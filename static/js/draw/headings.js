/** The headings of the map: HTML, so that they can be sticky, truncated and pressed. */

/** @import {Item} from "../core/types" */

import { heading } from "../core/text.js";
import { element } from "./dom.js";

/** @param {Item} item @param {string} name its CSS class @param {number} [row] the row that pressing it selects */
export function head(item, name, row) {
  const { text, quiet } = heading(item);
  return element(
    "div",
    {
      class: name,
      title: item.text === "</s>" ? "The stop token (EOS)" : text,
      "data-row": row,
      "data-quiet": quiet,
    },
    element("span", { dir: "auto" }, text),
  );
}

/** @type {CanvasRenderingContext2D | null} */
let ruler = null;

/** The width of a text in a heading. @param {string} text */
export function measure(text) {
  ruler ??= document.createElement("canvas").getContext("2d");
  if (!ruler) return text.length * 8;
  ruler.font = `14px ${getComputedStyle(document.body).fontFamily}`;
  return ruler.measureText(text).width;
}
