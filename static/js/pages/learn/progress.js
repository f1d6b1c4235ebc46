/** The list of lessons: how many steps of each are done in this browser. */

import { progress } from "../../core/lesson_progress.js";

const done = progress();
for (const article of document.querySelectorAll("[data-lesson]")) {
  const { lesson = "", steps } = /** @type {HTMLElement} */ (article).dataset;
  const count = Array.isArray(done[lesson]) ? Math.min(done[lesson].length, Number(steps)) : 0;
  const at = article.querySelector('[data-part="done"]');
  if (count && at) at.textContent = count === Number(steps) ? "done" : `${count} done`;
  article.toggleAttribute("data-done", count === Number(steps));
}
