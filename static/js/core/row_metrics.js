/** The numbers at the edges of a map: the entropy of a row, the coverage of a column. Pure. */

/** @import {MapScene} from "./types" */

import { stepsOf } from "./trace.js";

/** The entropy of a row in bits: 0 for one column, the logarithm of their number for equal weights. @param {number[]} row */
export function entropy(row) {
  return row.reduce((bits, weight) => (weight > 0 ? bits - weight * Math.log2(weight) : bits), 0);
}

/** The sum of a column. @param {number[][]} weights @param {number} column */
export function coverage(weights, column) {
  return weights.reduce((total, row) => total + row[column], 0);
}

/**
 * Entropies and probabilities of the rows, coverages of the columns. A row without decoding steps
 * has no probability.
 * @param {MapScene} scene
 */
export function rowMetrics(scene) {
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
