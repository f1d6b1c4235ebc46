/** Cells of a map in few rectangles. Pure. */

/** Number of shades: more cannot be distinguished in a small map. */
const SHADES = 64;

/**
 * Neighbouring cells of one shade are drawn as one, and white cells are omitted: the many cells of
 * a large map, or of all heads of a large model, would make a file that graphics programs open slowly.
 * @param {number[]} row places on the colour scale, from 0 to 1
 */
export function runs(row) {
  /** @type {{from: number, to: number, shade: number}[]} */
  const found = [];
  row.forEach((exact, at) => {
    const shade = Math.round(exact * SHADES) / SHADES;
    const last = found.at(-1);
    if (last?.to === at && last.shade === shade) last.to = at + 1;
    else if (shade > 0) found.push({ from: at, to: at + 1, shade });
  });
  return found;
}
