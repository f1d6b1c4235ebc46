/** Marks as elements of the page that are kept from step to step, so that changes can be animated. */

/** @import {Attributes, Mark} from "./marks.js" */

import { svg } from "./dom.js";
import { round } from "./marks.js";

/** @typedef {{mark: Mark, node: SVGElement, children: Entry[]}} Entry */

/** A drawing on the page. */
export class Drawing {
  node;
  #root;
  /** @type {Entry[]} */
  #entries = [];

  /** @param {Attributes} attributes of its root @param {SVGElement[]} about its title and description */
  constructor(attributes, ...about) {
    this.#root = svg("g", {});
    this.node = svg("svg", { direction: "ltr", fill: "var(--ink)", ...attributes });
    this.node.append(...about, this.#root);
  }

  /** Sets the size in pixels, and the name. @param {{width: number, height: number}} size @param {string} name */
  size({ width, height }, name) {
    this.set({
      width: Math.round(width),
      height: Math.round(height),
      viewBox: `0 0 ${width} ${height}`,
      "aria-label": name,
    });
  }

  /** Sets attributes of the root. The same value again would lay out the whole drawing. @param {Record<string, string | number>} attributes */
  set(attributes) {
    for (const [name, value] of Object.entries(attributes))
      if (this.node.getAttribute(name) !== String(value))
        this.node.setAttribute(name, String(value));
  }

  /** @param {Mark[]} marks */
  show(marks) {
    this.#entries = placed(this.#root, this.#entries, marks);
  }
}

/** New elements. @param {Mark[]} marks */
export const elements = (marks) => marks.map((mark) => created(mark).node);

/** @param {Mark} mark @param {number} index */
const keyOf = ({ key, name }, index) => key ?? `${index}.${name}`;

/** @param {SVGElement} parent @param {Entry[]} before @param {Mark[]} marks @returns {Entry[]} */
function placed(parent, before, marks) {
  if (same(before, marks))
    return before.map((entry, index) => updated(entry, marks[index] ?? entry.mark));
  const known = new Map(before.map((entry, index) => [keyOf(entry.mark, index), entry]));
  const entries = marks.map((mark, index) => {
    const found = known.get(keyOf(mark, index));
    return found && found.mark.name === mark.name ? updated(found, mark) : created(mark);
  });
  const kept = new Set(entries.map(({ node }) => node));
  for (const { node } of before) if (!kept.has(node)) node.remove();
  let there = parent.firstElementChild;
  for (const { node } of entries)
    if (node === there) there = there.nextElementSibling;
    else parent.insertBefore(node, there);
  return entries;
}

/** True if the elements of these marks are there, in their order. @param {Entry[]} before @param {Mark[]} marks */
const same = (before, marks) =>
  before.length === marks.length &&
  before.every(
    ({ mark }, index) => mark.key === marks[index]?.key && mark.name === marks[index]?.name,
  );

/** @param {Mark} mark @returns {Entry} */
function created(mark) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", mark.name);
  const bare = { ...mark, attributes: {}, children: [], text: undefined, later: undefined };
  return updated({ mark: bare, node, children: [] }, mark);
}

/** @param {Entry} entry @param {Mark} mark @returns {Entry} */
function updated({ mark: old, node, children }, mark) {
  if (old === mark) return { mark, node, children };
  for (const [name, value] of Object.entries(mark.attributes)) {
    if (value === old.attributes[name]) continue;
    if (value === null || value === undefined) node.removeAttribute(name);
    else node.setAttribute(name, typeof value === "number" ? String(round(value)) : value);
  }
  for (const name of Object.keys(old.attributes))
    if (!(name in mark.attributes)) node.removeAttribute(name);
  if (old.later !== mark.later) node.toggleAttribute("data-later", Boolean(mark.later));
  if (mark.text !== undefined) {
    if (old.text !== mark.text) node.textContent = mark.text;
    return { mark, node, children: [] };
  }
  return { mark, node, children: placed(node, children, mark.children ?? []) };
}
