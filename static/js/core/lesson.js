/** The user's own sentence on a lesson. Pure. */

/** Settings that belong to the sentence of the lesson. */
const OF_ITS_SENTENCE = ["rows", "columns", "pick", "edits"];

/**
 * The sentence of a request, if it is not that of the step.
 * @param {string | null | undefined} text @param {string} authored the sentence of the step; empty where it has none
 */
export const ownText = (text, authored) =>
  authored && typeof text === "string" && text !== authored ? text : null;

/**
 * True if a page was reached from another page of the same lesson, whose focus was lost with it.
 * @param {string} referrer @param {string} href of the page
 */
export function isTurned(referrer, href) {
  if (!referrer) return false;
  const [from, to] = [new URL(referrer), new URL(href)];
  const lesson = to.searchParams.get("lesson");
  return from.origin === to.origin && lesson !== null && from.searchParams.get("lesson") === lesson;
}

/** The address of a step with another sentence, if it has one. @param {string} href @param {string} text */
export function withText(href, text) {
  const url = new URL(href);
  if (!url.searchParams.has("text")) return href;
  url.searchParams.set("text", text);
  for (const name of OF_ITS_SENTENCE) url.searchParams.delete(name);
  return url.href;
}
