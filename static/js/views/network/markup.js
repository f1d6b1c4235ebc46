/** Marks as the text of an SVG file, without what only the page needs. Pure. */

/** @import {Mark} from "./marks.js" */

import { escaped, tag } from "../../draw/paper/markup.js";

const PAGE_ONLY = /^(data-|aria-|role$|tabindex$|class$)/;

/** @param {Mark} mark @returns {string} */
export function markup({ name, attributes, children = [], text, later }) {
  if (later || attributes["data-target"] !== undefined) return "";
  const kept = Object.fromEntries(
    Object.entries(attributes).filter(([attribute]) => !PAGE_ONLY.test(attribute)),
  );
  const inner = text === undefined ? children.map(markup).join("") : escaped(text);
  return name === "g" && !inner ? "" : tag(name, kept, inner);
}
