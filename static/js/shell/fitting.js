/** The picture of a presentation, scaled so that all of it is in its room. */

import { firstScale, largerScale, smallerScale } from "../core/presentation.js";
import { box } from "../draw/dom.js";

/** The room that is left between the sentence and the bar; a page has one or two, of which one is shown. */
const ROOMS = ".picture, .photo-side, .other-views";
/** Sizes are rounded to pixels. */
const SLACK = 1.5;
const MOST_TRIES = 10;
/** A line and its padding are less. */
const SEVERAL = 1.8;
/** Below this scale the labels of the current row and column are larger than the others. */
const SHRUNK = 0.75;

export class Fitting {
  #draw;
  #describe;
  /** The drawing that the scale was found for. @type {unknown[]} */
  #fitted = [];
  #busy = false;
  #frame = 0;
  #observer = new ResizeObserver(() => this.check());
  /** @type {HTMLElement | null} */
  #room = null;

  /**
   * @param {() => void} draw draws the picture again
   * @param {() => {view: string, rows: number, of: unknown}} describe what is drawn
   */
  constructor(draw, describe) {
    this.#draw = draw;
    this.#describe = describe;
  }

  end() {
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#fitted = [];
    this.#leave();
  }

  #leave() {
    this.#room?.removeAttribute("data-room");
    for (const name of ["data-fitted", "data-shrunk", "data-lines"])
      box("stage").removeAttribute(name);
    for (const name of ["--fit", "--room-width", "--room-height"])
      box("stage").style.removeProperty(name);
    this.#room = null;
  }

  /** Fits the picture in the next frame, if it is another one or has outgrown its room. */
  check() {
    this.#frame ||= requestAnimationFrame(() => void this.#fit());
  }

  async #fit() {
    this.#frame = 0;
    if (this.#busy) return this.check();
    const room = [...document.querySelectorAll(ROOMS)].find(isShown);
    box("stage").toggleAttribute("data-fitted", !room);
    if (!room) return;
    this.#busy = true;
    const { view, rows, of } = this.#describe();
    this.#enter(room, of !== this.#fitted[1]);
    const { clientWidth, clientHeight } = room;
    const now = [view, of, room, clientWidth, clientHeight];
    const same = now.every((each, index) => each === this.#fitted[index]);
    this.#fitted = now;
    if (!same) {
      this.#scale(firstScale(view, rows));
      this.#grown = false;
    }
    try {
      await this.#shrink(room, same);
    } finally {
      this.#busy = false;
    }
    if (this.#room) box("stage").toggleAttribute("data-fitted", true);
  }

  /** @param {HTMLElement} room @param {boolean} others true if the sentences are others than before */
  #enter(room, others) {
    const moves = room !== this.#room;
    if (moves) {
      this.#leave();
      room.toggleAttribute("data-room", true);
      this.#room = room;
      this.#scale(1);
    }
    if (moves || others) shorten();
    // What is loaded later is a new child.
    for (const each of [room, ...room.children]) this.#observer.observe(each);
    const { style } = box("stage");
    style.setProperty("--room-width", `${room.clientWidth}px`);
    style.setProperty("--room-height", `${room.clientHeight}px`);
  }

  /** @param {HTMLElement} room @param {boolean} drawn */
  async #shrink(room, drawn) {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      if (tries || !drawn) this.#draw();
      await settled();
      if (this.#room !== room) return; // it has ended
      const next = this.#larger(room) ?? smallerScale(this.#now, takenOf(room), tries);
      if (next === null) return;
      this.#scale(next);
    }
  }

  #now = 1;
  /** True once it was tried to make the picture larger. */
  #grown = false;

  /** The scale for a picture that leaves much of its room empty, once it is drawn. @param {HTMLElement} room */
  #larger(room) {
    const high = Math.max(0, ...Array.from(room.children, heightOf)) / room.clientHeight;
    if (this.#grown || !high) return null;
    this.#grown = true;
    const taken = { wide: takenOf(room).wide, high: high * this.#now };
    return largerScale(String(this.#fitted[0]), this.#now, taken);
  }

  /** @param {number} scale */
  #scale(scale) {
    this.#now = scale;
    box("stage").style.setProperty("--fit", scale.toFixed(4));
    box("stage").toggleAttribute("data-shrunk", scale < SHRUNK);
  }
}

/** @param {Element} room @returns {room is HTMLElement} */
const isShown = (room) => room instanceof HTMLElement && room.offsetHeight > 0;

/** @param {Element} picture */
const heightOf = (picture) => (picture instanceof HTMLElement ? picture.offsetHeight : 0);

/** The share of its room that a picture takes, in both directions. @param {HTMLElement} room */
const takenOf = (room) => ({
  wide: (room.scrollWidth - SLACK) / room.clientWidth,
  high: (room.scrollHeight - SLACK) / room.clientHeight,
});

/** Sentences of several lines are in smaller type, so that they leave room for the picture. */
function shorten() {
  const stage = box("stage");
  stage.removeAttribute("data-lines");
  const lines = [...stage.querySelectorAll(".line")].map((line) =>
    line instanceof HTMLElement
      ? line.offsetHeight / parseFloat(getComputedStyle(line).lineHeight)
      : 0,
  );
  stage.toggleAttribute("data-lines", Math.max(0, ...lines) > SEVERAL);
}

/** Pictures are drawn in the next frame, some after their layout is known. */
const settled = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
