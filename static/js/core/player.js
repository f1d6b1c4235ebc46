/** Plays rows one after the other. Pure; the clock is a parameter, so that tests control the time. */

export const BEAT_MS = 900;
/** The time of a part of a row, which is watched rather than read. */
export const PART_MS = 1200;

/**
 * @template H
 * @typedef {{set: (call: () => void, ms: number) => H, clear: (timer: H) => void}} Clock
 */

/** @template H the handle of a timer */
export class Player {
  #count = 0;
  #row = 0;
  #speed = 1;
  /** @type {H | null} */
  #timer = null;
  #go;
  #changed;
  #clock;

  /**
   * @param {object} wiring
   * @param {(row: number) => void} wiring.go shows a row
   * @param {(playing: boolean) => void} wiring.changed called when playing starts or stops
   * @param {Clock<H>} wiring.clock
   */
  constructor({ go, changed, clock }) {
    this.#go = go;
    this.#changed = changed;
    this.#clock = clock;
  }

  get playing() {
    return this.#timer !== null;
  }

  get row() {
    return this.#row;
  }

  /** A new result, or another view of it. @param {number} count @param {number} row @param {number} speed */
  load(count, row, speed) {
    this.#count = count;
    this.#row = row;
    this.#speed = speed;
  }

  get atEnd() {
    return this.#row >= this.#count - 1;
  }

  /** Starts from a row, or from the beginning if it is at the end. @param {number} [row] */
  play(row = this.atEnd ? 0 : this.#row) {
    if (this.playing || this.#count === 0) return;
    this.#beat();
    this.#changed(true);
    this.#show(row);
  }

  pause() {
    if (this.#timer === null) return;
    this.#clock.clear(this.#timer);
    this.#timer = null;
    this.#changed(false);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Goes to a row chosen by hand, which ends the playing. @param {number} row */
  to(row) {
    this.pause();
    this.#show(Math.min(Math.max(row, 0), this.#count - 1));
  }

  /** @param {number} rows */
  by(rows) {
    this.to(this.#row + rows);
  }

  #beat() {
    this.#timer = this.#clock.set(() => this.#advance(), BEAT_MS / this.#speed);
  }

  #advance() {
    if (this.atEnd) return this.pause();
    this.#beat();
    this.#show(this.#row + 1);
  }

  /** @param {number} row */
  #show(row) {
    if (row < 0) return;
    this.#row = row;
    this.#go(row);
  }
}
