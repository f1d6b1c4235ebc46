/** Saved traces: their addresses. Pure. */

/** Least height of the frame in another page, and that of the line below the view. */
const LEAST_HEIGHT = 320;
const FOOT = 64;

/** The height of a frame that shows a view whole. @param {number} high the view on this page */
export const frameHeight = (high) => Math.max(LEAST_HEIGHT, Math.ceil(high) + FOOT);

/** The id of the saved trace that a page shows. @param {string} path of the page @returns {string | null} */
export function savedAt(path) {
  return /^\/(?:t|embed)\/([A-Za-z0-9]+)$/.exec(path)?.[1] ?? null;
}

/** The link to a saved trace. @param {string} origin @param {string} id @param {string} query the settings of the view */
export const linkTo = (origin, id, query) => `${origin}/t/${id}${query}`;

/**
 * The HTML that shows a saved trace in a frame of another page.
 * @param {string} origin @param {string} id @param {string} query @param {string} title @param {number} height
 */
export function frame(origin, id, query, title, height) {
  const address = `${origin}/embed/${id}${query}`;
  return `<iframe src="${attribute(address)}" title="${attribute(title)}" width="100%" height="${height}" style="border: 0" loading="lazy"></iframe>`;
}

/** @param {string} text within quotes of HTML */
const attribute = (text) =>
  text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
