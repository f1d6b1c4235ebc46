/** A training: the network, its examples, and what it is measured by. The same settings give the same run. Pure. */

/** @import {Edit} from "../../core/types" */
/** @import {Mechanism} from "./attend.js" */
/** @import {Order, Shape} from "./network.js" */
/** @import {Pair, Task} from "./tasks.js" */

import { editedRow } from "../../core/edits.js";
import { Adam } from "./adam.js";
import { rowEdits } from "./edits.js";
import { END, Network, START } from "./network.js";
import { Random } from "./numbers.js";
import { BEYOND, isKeptBack } from "./tasks.js";
import { Vocabulary } from "./vocabulary.js";

/**
 * @typedef {object} RunSettings
 * @property {Mechanism} mechanism @property {Order} order @property {number} width @property {number} rate of learning
 * @property {number} examples 0 for a new one each time @property {number} longest word of the tasks on letters
 * @property {number} seed @property {number} rows of a batch
 */
/** @typedef {{group: string, right: number, all: number, learned: boolean}} Share of a group of texts that were written right */
/** @typedef {{source: string, written: string, right: boolean | null, weights: number[][] | null, plain?: string}} Written `plain`: what it writes without the edits */

/** Texts that a share is measured on, and those longer than any of the training. */
const MEASURED = 128;
const LONGER = 48;
const MOST_TRIES = 20000;
const EMBEDDING = 24;
/** Examples whose maps are shown. */
const SHOWN = 6;
/** A logit below all others, which a 16-bit float can hold. */
export const NEVER = -1e4;
/** Streams of random numbers, so that none depends on how many another has used. */
const [WEIGHTS, TRAINING, TESTING] = [1, 2, 3];

export class Run {
  /** @type {Task} */
  task;
  settings;
  vocabulary;
  network;
  /** Updates so far. */
  updates = 0;
  #adam;
  #random;
  /** @type {Pair[] | null} */
  #examples = null;
  /** @type {Pair[]} */
  #measured;
  #rows;

  /** @param {Task} task @param {RunSettings} settings @param {boolean} [simd] */
  constructor(task, settings, simd = true) {
    this.task = task;
    this.settings = settings;
    this.vocabulary = new Vocabulary(task.symbols);
    const { seed, rows } = settings;
    this.#rows = rows;
    const [source] = this.limits;
    this.network = new Network(
      shapeOf(this.vocabulary, settings),
      { rows, source: source + 1, target: this.mostSteps },
      simd,
    );
    this.network.initialize(new Random(seed, WEIGHTS));
    // Tokens that stand for nothing are never written.
    this.network.weight("decoder.output.bias").fill(NEVER, this.vocabulary.used);
    this.#adam = new Adam(this.network.values.length);
    this.#random = new Random(seed, TRAINING);
    this.#measured = this.#heldBack(new Random(seed, TESTING));
    if (settings.examples) {
      const count = settings.examples;
      this.#examples = Array.from({ length: count }, () => this.#draw(this.#random));
    }
  }

  /** One update; returns the loss before it. */
  update() {
    const pairs = Array.from({ length: this.#rows }, () =>
      this.#examples ? this.#random.of(this.#examples) : this.#draw(this.#random),
    );
    const loss = this.network.learn(this.vocabulary.batch(pairs));
    this.#adam.step(this.network.values, this.network.gradients, this.settings.rate);
    this.network.refresh();
    this.updates++;
    return loss;
  }

  /** The shares of unseen texts that are written right, by group. @returns {Share[]} */
  shares() {
    /** @type {Map<string, Share>} */
    const groups = new Map();
    for (let at = 0; at < this.#measured.length; at += this.#rows) {
      const pairs = this.#measured.slice(at, at + this.#rows);
      this.#freely(pairs.map(([source]) => source)).forEach((written, row) => {
        const [source, target] = pairs[row];
        const group = this.task.group(pairs[row]);
        const learned = !this.task.letters || source.length <= this.settings.longest;
        const share = groups.get(group) ?? { group, right: 0, all: 0, learned };
        groups.set(group, share);
        share.all++;
        share.right += Number(written === target);
      });
    }
    const order = new Intl.Collator("en", { numeric: true });
    return [...groups.values()].sort((a, b) => order.compare(a.group, b.group));
  }

  /** The result of a function under edits of the attention. @template R @param {readonly Edit[]} edits @param {() => R} compute @returns {R} */
  under(edits, compute) {
    this.network.edited = edits.length
      ? (step, scores) => editedRow(Array.from(scores), rowEdits(edits, step))
      : null;
    try {
      return compute();
    } finally {
      this.network.edited = null;
    }
  }

  /** The outputs for texts now, each with its map. @param {readonly string[]} texts @returns {Written[]} */
  write(texts) {
    const written = this.#freely(texts);
    return texts.map((source, row) => {
      const answer = this.task.answer(source);
      // With the end mark, unless the text was cut off before it.
      const steps = Math.min(Array.from(written[row]).length + 1, this.mostSteps);
      const weights = Array.from(
        { length: steps },
        (_, step) => this.network.seen(step, row).weights,
      );
      return {
        source,
        written: written[row],
        right: answer === null ? null : answer === written[row],
        weights: weights.every((each) => each !== null) ? weights : null,
      };
    });
  }

  /** The texts that are written for others, which have characters of the task alone. @param {readonly string[]} texts */
  #freely(texts) {
    const batch = this.vocabulary.batch(texts.map((text) => [text, ""]));
    this.network.encode(batch);
    /** @type {number[][]} */
    const rows = texts.map(() => []);
    /** @type {Int32Array} */
    let tokens = new Int32Array(texts.length).fill(START);
    const ended = new Set();
    for (let step = 0; step < this.mostSteps && ended.size < texts.length; step++) {
      this.network.step(step, tokens);
      tokens = this.network.best(step);
      tokens.forEach((token, row) => {
        rows[row].push(token);
        if (token === END) ended.add(row);
      });
    }
    return rows.map((row) => this.vocabulary.text(row));
  }

  /** Reads a text, and takes these tokens for what it writes. @param {string} text @param {readonly number[]} tokens */
  force(text, tokens) {
    this.network.encode(this.vocabulary.batch([[text, ""]]));
    [START, ...tokens.slice(0, -1)].forEach((token, step) =>
      this.network.step(step, Int32Array.of(token)),
    );
  }

  /** Texts whose maps are shown: none is longer than what was learned. */
  get examples() {
    const longest = this.limits[0] - (this.task.letters ? BEYOND : 0);
    return this.task.examples.filter((text) => Array.from(text).length <= longest).slice(-SHOWN);
  }

  /** Returns true for a text that the network can read. @param {string} text */
  reads(text) {
    const count = Array.from(text).length;
    return count > 0 && count <= this.limits[0] && this.vocabulary.read(text) !== null;
  }

  /** Steps after which a text is cut off. */
  get mostSteps() {
    return this.limits[1] + 1;
  }

  /** The longest source and target. @returns {readonly [number, number]} */
  get limits() {
    const { task, settings } = this;
    if (!task.letters) return task.capacity;
    const longest = settings.longest + BEYOND;
    return [longest, Math.ceil((task.capacity[1] * longest) / task.capacity[0])];
  }

  /** A pair of the training. @param {Random} random */
  #draw(random) {
    for (;;) {
      const pair = this.task.draw(random, this.settings.longest);
      if (!isKeptBack(pair[0])) return pair;
    }
  }

  /** Different pairs that no training sees. @param {Random} random */
  #heldBack(random) {
    const { longest } = this.settings;
    /** @type {Map<string, Pair>} */
    const found = new Map();
    const fits = (/** @type {Pair} */ pair) => isKeptBack(pair[0]);
    for (let tries = 0; found.size < MEASURED && tries < MOST_TRIES; tries++) {
      const pair = this.task.draw(random, longest);
      if (fits(pair)) found.set(pair[0], pair);
    }
    if (!this.task.letters) return [...found.values()];
    const all = MEASURED + LONGER;
    for (let tries = 0; found.size < all && tries < MOST_TRIES; tries++) {
      const pair = this.task.draw(random, longest + BEYOND);
      if (pair[0].length > longest && fits(pair)) found.set(pair[0], pair);
    }
    return [...found.values()];
  }
}

/** @param {Vocabulary} vocabulary @param {RunSettings} settings @returns {Shape} */
const shapeOf = (vocabulary, { mechanism, order, width }) => ({
  mechanism,
  order: mechanism === "none" ? "fixed" : order,
  vocabulary: vocabulary.size,
  embedding: EMBEDDING,
  width,
  attention: Math.max(8, width / 2),
});
