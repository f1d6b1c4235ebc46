/** The steps of lessons that a learner has done, kept in this browser only. */

const KEY = "heed.lessons";

/** The steps that are done, by lesson. @returns {Record<string, number[]>} */
export function progress() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return kept && typeof kept === "object" ? kept : {};
  } catch {
    return {}; // no storage, or not ours
  }
}

/** @param {string} lesson @param {number} at */
export function markDone(lesson, at) {
  const all = progress();
  const done = Array.isArray(all[lesson]) ? all[lesson] : [];
  if (done.includes(at)) return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all, [lesson]: [...done, at] }));
  } catch {
    // A browser without storage keeps no progress.
  }
}
