/** The section of one part of a step, which can be folded to one line. */

/** @import {PartLine} from "./model.js" */

import { html, say } from "../../draw/dom.js";

/**
 * @template {string} N
 * @typedef {{name: N, section: HTMLElement, line: HTMLButtonElement, heading: HTMLElement, title: HTMLElement, formula: HTMLElement, note: HTMLElement, body: HTMLElement, say: (line: PartLine) => void}} Part
 */

/** An empty part. @template {string} N @param {N} name @param {number} index @param {() => void} open @returns {Part<N>} */
export function partOf(name, index, open) {
  const [title, short, result, formula, note, body] = [
    html.span(),
    html.span({ class: "part-name" }),
    html.span({ class: "part-result" }),
    html.p({ class: "formula" }),
    html.p({ class: "note" }),
    html.div({ class: "part-body" }),
  ];
  const ordinal = () => html.span({ class: "ordinal", "aria-hidden": "true" }, String(index + 1));
  const line = html.button(
    { type: "button", class: "part-line", "aria-expanded": "false", onclick: open },
    ordinal(),
    short,
    result,
  );
  const heading = html.h3({ tabindex: -1 }, ordinal(), title);
  const section = html.section(
    { class: "part", "data-name": name },
    line,
    heading,
    formula,
    note,
    body,
  );
  const told = (/** @type {PartLine} */ line) => {
    say(short, line.name);
    say(result, line.result);
  };
  return { name, section, line, heading, title, formula, note, body, say: told };
}

/** Shows the parts up to one, of which one is open; that one is marked unless it is the last. @param {Pick<Part<string>, "section" | "line">[]} parts @param {number} last @param {number} open */
export const showUntil = (parts, last, open) =>
  parts.forEach(({ section, line }, index) => {
    section.toggleAttribute("data-later", index > last);
    section.toggleAttribute("data-open", index === open);
    section.toggleAttribute("data-now", index === last && last < parts.length - 1);
    line.disabled = index > last;
  });
