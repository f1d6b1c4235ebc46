/** A step of a lesson on a page without a model: its questions, its keys, and the progress. */

import { KEYS } from "../core/keys.js";
import { isTurned } from "../core/lesson.js";
import { markDone } from "../core/lesson_progress.js";
import { isTyped } from "./keys.js";
import { LessonUnit } from "./lesson_unit.js";

/** Starts the panel of a lesson, if the page is a step of one. */
export function startStep() {
  const query = new URLSearchParams(location.search);
  if (query.has("lesson")) void explain();
  if (isTurned(document.referrer, location.href))
    document.getElementById("lesson-title")?.focus({ preventScroll: true });
  const node = document.getElementById("lesson-unit");
  const done = () => markDone(query.get("lesson") ?? "", Number(query.get("at")));
  if (node) new LessonUnit(node, { shown: () => null, change: () => {}, done });
  else if (query.has("lesson")) done();
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isTyped(event)) return;
    if (event.target instanceof Element && event.target.closest("input, summary")) return;
    const link = document.getElementById(`lesson-${KEYS.lesson[event.key]}`);
    if (link instanceof HTMLAnchorElement) location.assign(link.href);
  });
}

/** Explains the terms in the words of the step. */
async function explain() {
  const { explainTerms } = await import("./explanations.js");
  explainTerms();
}
