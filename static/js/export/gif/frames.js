/** The pictures of a moving one: what is shown in each, and for how long. Pure. */

import { BEAT_MS } from "../../core/player.js";

/** Past so many pictures some are left out: nobody waits that long, and no browser should. */
const MOST = 150;
/** The finished one stays, before it all begins again. */
const REST = 3;

/**
 * @typedef {object} Moment
 * @property {number} row the last row that is written so far
 * @property {number | null} current the row that is marked
 * @property {number} part the last part of the step that is shown
 *
 * @typedef {{moment: Moment, ms: number}} Frame
 */

/**
 * As the player goes through the view: row by row, or part by part through the step that is shown.
 * @param {{view: {rows: unknown[]}, row: number, parts: number, speed: number, viewName: string}} scene @returns {Frame[]}
 */
export function frames({ view, row, parts, speed, viewName }) {
  const apart = viewName === "step" && parts > 1;
  const count = apart ? parts : view.rows.length;
  const every = Math.ceil(count / MOST);
  const beat = (BEAT_MS / speed) * Math.sqrt(every);
  const places = Array.from({ length: count }, (_, place) => place).filter((place) => (count - 1 - place) % every === 0);
  const made = places.map((place) => ({ moment: apart ? { row, current: row, part: place } : { row: place, current: place, part: 0 }, ms: beat }));
  const last = apart ? made.pop() : { moment: { row: count - 1, current: null, part: 0 } };
  return last ? [...made, { moment: last.moment, ms: beat * REST }] : made;
}
