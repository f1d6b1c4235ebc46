/** The likeness of the positional embeddings, arranged like the photo. Pure. */

/** @import {Palette, PatchScene} from "../../core/types" */
/** @import {Raster} from "../../draw/raster.js" */

import { divergent } from "../../core/colours.js";

/** Pixels between two squares of the overview. */
export const GAP = 1;

/**
 * The likeness of a token's position to those of the patches, row by row.
 * @param {PatchScene} scene @param {number} token
 */
export function likenessOf({ trace: { source, positions } }, token) {
  return (positions?.[token] ?? []).slice(source.marks?.length ?? 0);
}

/** The same as a raster. @param {PatchScene} scene @param {number} token @param {Palette} palette @returns {Raster} */
export function likenessRaster(scene, token, palette) {
  const { rows, columns } = scene.trace.source;
  const likeness = likenessOf(scene, token);
  const colourAt = (/** @type {number} */ y, /** @type {number} */ x) =>
    divergent(palette, likeness[y * columns + x] ?? 0);
  return { rows, columns, colourAt };
}

/**
 * The overview: for each patch, at its place, a square with a pixel for each patch.
 * @param {PatchScene} scene @param {Palette} palette @returns {Raster}
 */
export function overview(scene, palette) {
  const { rows, columns } = scene.trace.source;
  const marks = scene.trace.source.marks?.length ?? 0;
  const size = { rows: rows * (rows + GAP) - GAP, columns: columns * (columns + GAP) - GAP };
  const squares = Array.from({ length: rows * columns }, (_, patch) =>
    likenessOf(scene, patch + marks),
  );
  const colourAt = (/** @type {number} */ y, /** @type {number} */ x) => {
    const [down, across] = [y % (rows + GAP), x % (columns + GAP)];
    if (down >= rows || across >= columns) return palette.line;
    const patch = Math.floor(y / (rows + GAP)) * columns + Math.floor(x / (columns + GAP));
    return divergent(palette, squares[patch][down * columns + across] ?? 0);
  };
  return { ...size, colourAt };
}
