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

/** Pieces one below the other. @param {Piece[]} pieces @param {number} gap @returns {Piece} */
export function stacked(pieces, gap) {
  let y = 0;
  const marks = pieces.map((piece) => {
    const placed = at(0, y, piece.marks);
    y += piece.height + gap;
    return placed;
  });
  return {
    width: Math.max(0, ...pieces.map(({ width }) => width)),
    height: Math.max(0, y - gap),
    marks,
  };
}

/** Pieces side by side. @param {Piece[]} pieces @param {number} gap @returns {Piece} */
export function beside(pieces, gap) {
  let x = 0;
  const marks = pieces.map((piece) => {
    const placed = at(x, 0, piece.marks);
    x += piece.width + gap;
    return placed;
  });
  return { width: x - gap, height: Math.max(...pieces.map(({ height }) => height)), marks };
}

/**
 * Pieces side by side, in lines of as many as fit.
 * @param {Piece[]} pieces @param {number} room @param {number} gap @returns {Piece}
 */
export function flowing(pieces, room, gap) {
  /** @type {Piece[][]} */
  const lines = [];
  let used = Infinity;
  for (const piece of pieces) {
    if (used + gap + piece.width > room + 0.01) {
      lines.push([]);
      used = -gap;
    }
    lines[lines.length - 1].push(piece);
    used += gap + piece.width;
  }
  return stacked(
    lines.map((line) => beside(line, gap)),
    gap,
  );
}
