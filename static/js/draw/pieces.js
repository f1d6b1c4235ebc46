/** Pieces of a sheet: drawings of a size, placed below and beside each other. Pure. */

/** @import {Piece} from "./marks.js" */

import { at } from "./marks.js";

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
    lines.at(-1)?.push(piece);
    used += gap + piece.width;
  }
  return stacked(
    lines.map((line) => beside(line, gap)),
    gap,
  );
}
