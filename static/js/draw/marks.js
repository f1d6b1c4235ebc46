/**
 * Marks: a drawing as a tree of elements. `page.js` shows it on the page and keeps its elements from
 * step to step; `paper.js` writes it as the text of an SVG file. Pure.
 */

/** @import {Palette} from "../core/types" */

/**
 * @typedef {object} Mark an element of a drawing
 * @property {string} name
 * @property {Attributes} attributes
 * @property {Mark[]} [children] @property {string} [text]
 * @property {string} [key] by which the page finds the same element in the next step
 * @property {boolean} [later] true if it belongs to a part of the step that is still to come
 * @property {boolean} [page] true if paper omits it: what takes the pointer, or is read aloud
 *
 * @typedef {Record<string, string | number | null | undefined>} Attributes null and undefined are omitted
 *
 * @typedef {object} Look the colours and typefaces of the page or of paper
 * @property {Palette} palette
 * @property {string} ink @property {string} soft @property {string} line @property {string} edge
 * @property {string} grid @property {string} accent @property {string} paper
 * @property {string} serif
 * @property {number} [least] the smallest size of text, in a drawing that is scaled down
 *
 * @typedef {object} Piece a drawing and its size
 * @property {number} width @property {number} height @property {Mark[]} marks
 *
 * @typedef {{x: number, y: number}} Point
 * @typedef {{x: number, y: number, width: number, height: number}} Area
 */

/** @param {string} name @param {Attributes} attributes @param {(Mark | null)[]} [children] @returns {Mark} */
export const mark = (name, attributes, children) =>
  children ? { name, attributes, children: present(children) } : { name, attributes };

/** Marks that keep their elements from step to step. @param {string} key @param {(Mark | null)[]} children @param {Attributes} [attributes] @returns {Mark} */
export const group = (key, children, attributes = {}) => ({
  name: "g",
  key,
  attributes,
  children: present(children),
});

/** The same marks, which are not drawn before their part of the step. @param {boolean} later @param {Mark} marks @returns {Mark} */
export const unless = (later, marks) => (later ? { ...marks, later } : marks);

/** The same marks, which paper omits. @param {Mark} marks @returns {Mark} */
export const onPage = (marks) => ({ ...marks, page: true });

/** Marks at another place. @param {number} x @param {number} y @param {(Mark | null)[]} marks @param {Attributes} [attributes] @returns {Mark} */
export const at = (x, y, marks, attributes = {}) =>
  mark("g", { transform: `translate(${number(x)} ${number(y)})`, ...attributes }, marks);

/** @param {number} x @param {number} y @param {number} width @param {number} height @param {Attributes} attributes */
export const rect = (x, y, width, height, attributes) =>
  mark("rect", { x, y, width, height, ...attributes });

/** @param {(Mark | null)[]} marks @returns {Mark[]} */
const present = (marks) => marks.filter((each) => each !== null);

/** A number with two decimals at most. @param {number} value */
export const round = (value) => Math.round(value * 100) / 100;

/** The same as a text. @param {number} value */
export const number = (value) => String(round(value));
