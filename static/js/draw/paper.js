/** Marks as the text of an SVG file, so that it can be made without a browser. The text of users is escaped here. Pure. */

/** @import {Attributes, Mark} from "./marks.js" */

import { number } from "./marks.js";

/** Attributes that only the page needs. */
const PAGE_ONLY = /^(data-|aria-|role$|tabindex$|class$|lang$)/;
/** Characters that are invalid in XML even if they are escaped. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const SIGNS = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
]);

/** @param {string} text */
function escaped(text) {
  return text.replace(FORBIDDEN, "\ufffd").replace(/[&<>"]/g, (sign) => SIGNS.get(sign) ?? sign);
}

/** A drawing as a file, with the attributes of its root. @param {Attributes} attributes @param {Mark[]} marks */
export const file = (attributes, marks) => tag("svg", attributes, marks.map(written).join(""));

/** An element without what only the page needs; one that groups nothing is omitted. @param {Mark} mark @returns {string} */
export function written({ name, attributes, children = [], text, later, page }) {
  if (later || page) return "";
  const inner = text === undefined ? children.map(written).join("") : escaped(text);
  if (name === "g" && !inner) return "";
  const kept = Object.entries(attributes).filter(([key]) => !PAGE_ONLY.test(key));
  return tag(name, Object.fromEntries(kept), inner);
}

/** @param {string} name @param {Attributes} attributes @param {string} inner markup @returns {string} */
function tag(name, attributes, inner) {
  const pairs = Object.entries(attributes).map(([key, value]) =>
    value === null || value === undefined
      ? ""
      : ` ${key}="${escaped(typeof value === "number" ? number(value) : value)}"`,
  );
  return `<${name}${pairs.join("")}${inner ? `>${inner}</${name}>` : "/>"}`;
}
