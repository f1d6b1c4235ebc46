/** The frames of an animation: what each shows, and for how long. Pure. */

import { BEAT_MS } from "../../core/player.js";

/** With more frames than this some are left out: encoding them would take too long. */
const MOST = 150;
/** The last frame stays this many beats before the animation repeats. */
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
 * The frames as the player shows them: row by row, or part by part through the current step.
 * @param {{rows: unknown[], row: number, parts: number, speed: number}} scene @returns {Frame[]}
 */
export function frames({ rows, row, parts, speed }) {
  const apart = parts > 1;
  const count = apart ? parts : rows.length;
  const every = Math.ceil(count / MOST);
  const beat = (BEAT_MS / speed) * Math.sqrt(every);
  const places = Array.from({ length: count }, (_, place) => place).filter(
    (place) => (count - 1 - place) % every === 0,
  );
  const made = places.map((place) => ({
    moment: apart ? { row, current: row, part: place } : { row: place, current: place, part: 0 },
    ms: beat,
  }));
  const last = apart ? made.pop() : { moment: { row: count - 1, current: null, part: 0 } };
  return last ? [...made, { moment: last.moment, ms: beat * REST }] : made;
}
