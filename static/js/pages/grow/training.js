/** One run, or two side by side that differ in one setting, with all that is shown of them. Pure. */

/** @import {Edit} from "../../core/types" */
/** @import {RunSettings, Share, Written} from "./run.js" */
/** @import {Task} from "./tasks.js" */

import { History, KEPT } from "./history.js";
import { Run } from "./run.js";

/** @typedef {{loss: number | null, shares: Share[], share: number, written: Written[], typed: Written | null}} RunFrame */
/** @typedef {{updates: number, learned: boolean, runs: RunFrame[]}} Frame */

/** Updates between two frames, at first and later. */
const [EARLY, EARLY_END, LATER] = [5, 20, 20];
/** Frames in which enough is right before a run counts as learned. */
const SURE = 3;

export class Training {
  runs;
  #losses;
  #count = 0;
  #right = 0;
  /** The weights of all runs. @type {History<Float32Array[]>} */
  #history = new History(KEPT);
  #typed = "";
  /** Those of the text that was typed. @type {readonly Edit[]} */
  #edits = [];
  /** The state that is shown instead of the last one. @type {{value: Float32Array[]} | null} */
  #past = null;

  /** @param {Task} task @param {RunSettings[]} settings */
  constructor(task, settings) {
    this.runs = settings.map((each) => new Run(task, each));
    this.#losses = settings.map(() => 0);
  }

  get updates() {
    return this.runs[0].updates;
  }

  /** One update of each run. */
  update() {
    this.runs.forEach((run, index) => (this.#losses[index] += run.update()));
    this.#count++;
  }

  /** Returns true after the updates that a frame shows. */
  get due() {
    return this.updates % (this.updates <= EARLY_END ? EARLY : LATER) === 0;
  }

  /** The current state as the page shows it. Its weights are kept for later. @returns {Frame} */
  frame() {
    const { updates } = this;
    this.#history.add(updates, () => this.runs.map((run) => run.network.values.slice()));
    const runs = this.runs.map((run, index) => {
      const shares = run.shares();
      return {
        loss: this.#count ? this.#losses[index] / this.#count : null,
        shares,
        share: shareOf(shares),
        written: run.write(run.examples),
        typed: this.#written(run),
      };
    });
    this.#losses.fill(0);
    this.#count = 0;
    this.#right = runs[0].share >= this.runs[0].task.share ? this.#right + 1 : 0;
    // Once: a run that goes on after it is not stopped again.
    return { updates, learned: this.#right === SURE, runs };
  }

  /** The output of each run for a text under edits, in the state that is shown. @param {string} text @param {readonly Edit[]} [edits] */
  type(text, edits = []) {
    this.#typed = text;
    this.#edits = edits;
    return this.inState(() => this.runs.map((run) => this.#written(run)));
  }

  /** Shows the state after these updates, or the last one. @param {number | null} updates */
  seek(updates) {
    this.#past = updates === null ? null : this.#history.at(updates);
    return this.type(this.#typed, this.#edits);
  }

  /** The result of a function that reads the runs in the state that is shown. @template R @param {() => R} read @returns {R} */
  inState(read) {
    const past = this.#past;
    if (!past) return read();
    const now = this.runs.map((run) => run.network.values.slice());
    const set = (/** @type {Float32Array[]} */ states) =>
      this.runs.forEach(({ network }, index) => {
        network.values.set(states[index]);
        network.refresh();
      });
    set(past.value);
    const result = read();
    set(now);
    return result;
  }

  /** The edits of a text: it may not be the one that was typed. @param {string} text */
  editsOf(text) {
    return text === this.#typed ? this.#edits : [];
  }

  /** @param {Run} run @returns {Written | null} */
  #written(run) {
    const [text, edits] = [this.#typed, this.#edits];
    if (!run.reads(text)) return null;
    const [plain] = run.write([text]);
    if (!edits.length) return plain;
    return { ...run.under(edits, () => run.write([text])[0]), plain: plain.written };
  }
}

/** The share of texts that are written right, without those longer than any of the training. @param {Share[]} shares */
export function shareOf(shares) {
  const learned = shares.filter((share) => share.learned);
  const sum = (/** @type {"right" | "all"} */ name) =>
    learned.reduce((total, share) => total + share[name], 0);
  return sum("all") ? sum("right") / sum("all") : 0;
}
