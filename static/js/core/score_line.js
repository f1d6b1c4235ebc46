/** Ways to score a key against a query when both are single numbers, so that each can be drawn. Pure. */

/**
 * @typedef {object} Way
 * @property {string} name @property {string} formula
 * @property {string} said how the scores are spread over the line
 * @property {(query: number, key: number) => number} score
 */
/** @type {Record<string, Way>} */
export const WAYS = {
  step: {
    name: "network, one unit",
    formula: "e = 3 tanh(k − q)",
    said: "One unit is a step: the further right a key is, the larger is its score.",
    score: (query, key) => 3 * Math.tanh(key - query),
  },
  hill: {
    name: "network, two units",
    formula: "e = 3 tanh(k − q + 1) − 3 tanh(k − q − 1)",
    said: "Two units make a hill: the key nearest to the query has the largest score.",
    score: (query, key) => 3 * Math.tanh(key - query + 1) - 3 * Math.tanh(key - query - 1),
  },
  dot: {
    name: "dot product",
    formula: "e = q · k",
    said: "A product is a straight line through 0: the key furthest out on the side of the query has the largest score.",
    score: (query, key) => query * key,
  },
  general: {
    name: "general, W = −1",
    formula: "e = q · W · k",
    said: "W is learned. With W = −1, keys on the other side of 0 have the largest scores.",
    score: (query, key) => -query * key,
  },
};

/**
 * The scores along the line, from its left end to its right.
 * @param {Way} way @param {number} query @param {number} end of the line on each side of 0 @param {number} points
 * @returns {[number, number][]} each with its place on the line
 */
export const curve = ({ score }, query, end, points) =>
  Array.from({ length: points }, (_, place) => {
    const key = -end + (2 * end * place) / (points - 1);
    return [key, score(query, key)];
  });
