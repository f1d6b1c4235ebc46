/**
 * Replaces `plotly.js` in a standalone file, which has no Plotly: the map on the canvas stays, and
 * looks the same.
 */

/** @returns {Promise<never>} */
export const paint = () => Promise.reject(new Error("Plotly is not in this file"));
