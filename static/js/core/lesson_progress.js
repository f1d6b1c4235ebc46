/** The steps of lessons that a learner has done, kept in this browser only. */

import { Stored, storage } from "./stored.js";

const stored = new Stored("heed.lessons", storage("localStorage"));

/** The steps that are done, by lesson. @returns {Record<string, number[]>} */
export function progress() {
  const kept = stored.json;
  return kept && typeof kept === "object" ? kept : {};
}

/** @param {string} lesson @param {number} at */
export function markDone(lesson, at) {
  const all = progress();
  const done = Array.isArray(all[lesson]) ? all[lesson] : [];
  if (!done.includes(at)) stored.keep(JSON.stringify({ ...all, [lesson]: [...done, at] }));
}
