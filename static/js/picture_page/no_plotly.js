/**
 * In a page that is one file there is no Plotly: what is painted by hand stays, it is the same
 * picture. It stands in for `plotly.js` there.
 */

/** @returns {Promise<never>} */
export const paint = () => Promise.reject(new Error("Plotly is not in this file"));
