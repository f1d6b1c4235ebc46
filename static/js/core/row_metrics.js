/** What stands at the edges of a map: the entropy of a row, the coverage of a column. Pure. */

/** @import {Scene} from "./types" */

import { stepsOf } from "./scene.js";

/** How spread out a row is, in bits: 0 for one place, the logarithm of their number for all alike. @param {number[]} row */
export function entropy(row) {
  return row.reduce((bits, weight) => (weight > 0 ? bits - weight * Math.log2(weight) : bits), 0);
}

/** What a column was given in all, row after row. @param {number[][]} weights @param {number} column */
export function coverage(weights, column) {
  return weights.reduce((total, row) => total + row[column], 0);
}

/**
 * Entropies and probabilities of the rows, coverages of the columns. A row that no step of the
 * decoder belongs to has no probability.
 * @param {Scene} scene
 */
export function margins(scene) {
  const { rows, columns, weights } = scene.view;
  const map = weights ?? [];
  return {
    entropies: map.map(entropy),
    coverages: columns.map((_, column) => coverage(map, column)),
    probabilities: rows.map((_, row) => {
      const steps = stepsOf(scene, row);
      return steps.length ? steps.reduce((product, step) => product * step.probability, 1) : null;
    }),
  };
}
