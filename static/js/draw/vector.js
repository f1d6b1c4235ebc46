/** A vector as bars of width 1 around an axis, up for positive and down for negative: no colour scale to learn. Pure. */

/** Share of the height above or below the axis that the longest bar fills. */
const TALLEST = 0.92;
/** The minimum height at which a bar is visible. */
const LEAST = 0.03;
/** Share of its width that a bar fills. */
const FILLED = 0.88;

/** The paths of the bars above the axis and of those below it. @param {number[]} summary @param {number} [filled] the share of its width that a bar fills */
export function barPaths(summary, filled = FILLED) {
  const most = Math.max(...summary.map(Math.abs)) || 1;
  const wide = filled.toFixed(3);
  const bar = (/** @type {number} */ value, /** @type {number} */ place) => {
    const height = Math.max((Math.abs(value) / most) * TALLEST, LEAST);
    return `M${place} 0h${wide}v${(value < 0 ? height : -height).toFixed(3)}h-${wide}z`;
  };
  const those = (/** @type {(value: number) => boolean} */ wanted) =>
    summary.map((value, place) => (wanted(value) ? bar(value, place) : "")).join("");
  return { up: those((value) => !(value < 0)), down: those((value) => value < 0) };
}

/** The bars of a small vector in one path, where a value of `most` has height 1. @param {number[]} summary @param {number} most */
export const sparkPath = (summary, most) =>
  summary.map((value, place) => `M${place + 0.1} 0h.8v${(-value / most).toFixed(3)}h-.8z`).join("");
