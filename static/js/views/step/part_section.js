/** The section of one part of a step. */

import { html } from "../../draw/dom.js";

/**
 * @template {string} N
 * @typedef {{name: N, section: HTMLElement, title: HTMLElement, formula: HTMLElement, note: HTMLElement, body: HTMLElement}} Part
 */

/** An empty part. @template {string} N @param {N} name @param {number} index @returns {Part<N>} */
export function partOf(name, index) {
  const [title, formula, note, body] = [
    html.span(),
    html.p({ class: "formula" }),
    html.p({ class: "note" }),
    html.div({ class: "part-body" }),
  ];
  const ordinal = html.span({ class: "ordinal", "aria-hidden": "true" }, String(index + 1));
  const section = html.section(
    { class: "part", "data-name": name },
    html.h3(ordinal, title),
    formula,
    note,
    body,
  );
  return { name, section, title, formula, note, body };
}

/** Shows the parts up to one, which is marked unless it is the last. @param {{section: HTMLElement}[]} parts @param {number} last */
export const showUntil = (parts, last) =>
  parts.forEach(({ section }, index) => {
    section.toggleAttribute("data-later", index > last);
    section.toggleAttribute("data-now", index === last && last < parts.length - 1);
  });
