/** Softmax of a few scores, with a temperature, and of dot products of many dimensions. Pure. */

/**
 * @param {number[]} scores @param {{temperature?: number, dimensions?: number | null, scaled?: boolean}} [how] `dimensions`: the scores are those of one dimension, which grow with its root unless they are `scaled`
 * @returns {number[]}
 */
export function softmax(scores, { temperature = 1, dimensions = null, scaled = false } = {}) {
  const growth = dimensions && !scaled ? Math.sqrt(dimensions) : 1;
  const divided = scores.map((score) => (score * growth) / temperature);
  const most = Math.max(...divided);
  const shares = divided.map((score) => Math.exp(score - most));
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / total);
}

/** A sum with weights. @param {number[]} weights @param {number[]} values */
export const weighted = (weights, values) =>
  weights.reduce((sum, share, place) => sum + share * values[place], 0);
