/** Attention of many rows at once, forwards and back: additive, dot or scaled. Pure. */

/** @import {Multiply} from "./kernels.js" */
/** @import {Arrays} from "./cell.js" */
/** @typedef {"none" | "additive" | "dot" | "scaled"} Mechanism */

import { fillRows, sumRows, transpose } from "./cell.js";
import { exp, tanh } from "./numbers.js";

/**
 * The sizes of what attention keeps: of each step and row, a number for each key.
 * @param {Mechanism} mechanism @param {number} width @param {number} hidden of an additive score @param {number} rows @param {number} steps @param {number} keys
 * @returns {Record<string, number>}
 */
export const attentionSizes = (mechanism, width, hidden, rows, steps, keys) => ({
  "attention.scores": steps * rows * keys,
  "attention.weights": steps * rows * keys,
  "attention.byWeights": keys,
  ...(mechanism === "additive" && {
    "attention.hidden": steps * rows * keys * hidden,
    "attention.keys": keys * rows * hidden,
    "attention.byKeys": keys * rows * hidden,
    "attention.query": rows * hidden,
    "attention.byQuery": steps * rows * hidden,
    "attention.fromKeys": width * hidden,
    "attention.fromQuery": width * hidden,
  }),
});

/** @typedef {Record<"query" | "key" | "bias" | "energy", Float32Array>} Weights of an additive score */
/** @typedef {(step: number, scores: Float32Array) => number[]} Edited */
/** @typedef {{memory: Float32Array, rows: number, keys: number, lengths: Int32Array}} Read */

export class Attend {
  #width;
  #hidden;
  #views;
  #multiply;
  #own;
  #gradients;
  #scale;
  /** The weights of a row by its scores instead of their softmax; null without edits. @type {Edited | null} */
  edited = null;
  /** @type {Read} */
  #read = { memory: new Float32Array(), rows: 0, keys: 0, lengths: new Int32Array() };

  /**
   * @param {Mechanism} mechanism @param {Arrays} views @param {Multiply} multiply
   * @param {Weights | null} own @param {Weights | null} gradients @param {number} width
   */
  constructor(mechanism, views, multiply, own, gradients, width) {
    this.#views = views;
    this.#multiply = multiply;
    this.#own = own;
    this.#gradients = gradients;
    this.#width = width;
    this.#hidden = own?.energy.length ?? 0;
    this.#scale = mechanism === "scaled" ? 1 / Math.sqrt(width) : 1;
  }

  get scores() {
    return this.#views["attention.scores"];
  }

  get weights() {
    return this.#views["attention.weights"];
  }

  /** Takes over the weights, once they have changed. */
  refresh() {
    if (!this.#own) return;
    transpose(this.#own.key, this.#views["attention.fromKeys"], this.#hidden, this.#width);
    transpose(this.#own.query, this.#views["attention.fromQuery"], this.#hidden, this.#width);
  }

  /** Projects the memory once, for all steps to come. @param {Read} read */
  prepare(read) {
    this.#read = read;
    if (!this.#own) return;
    const { memory, rows, keys } = read;
    const projected = this.#views["attention.keys"];
    fillRows(projected, 0, this.#own.bias, rows * keys);
    this.#multiply(
      { of: memory, row: this.#width },
      { of: this.#views["attention.fromKeys"], row: this.#hidden },
      { of: projected, row: this.#hidden },
      rows * keys,
      this.#hidden,
      this.#width,
    );
  }

  /** Attends from the queries of a step. @param {number} step @param {Float32Array} queries @param {number} at @param {Float32Array} context @param {number} to */
  step(step, queries, at, context, to) {
    const { memory, rows, keys, lengths } = this.#read;
    const width = this.#width;
    if (this.#own) this.#additive(step, queries, at);
    else this.#products(step, queries, at);
    context.fill(0, to, to + rows * width);
    for (let row = 0; row < rows; row++) {
      const first = (step * rows + row) * keys;
      softmax(this.scores, this.weights, first, lengths[row], keys);
      if (this.edited) {
        const scores = this.scores.subarray(first, first + lengths[row]);
        this.weights.set(this.edited(step, scores), first);
      }
      this.#multiply(
        { of: this.weights, at: first, row: keys },
        { of: memory, at: row * width, row: rows * width },
        { of: context, at: to + row * width, row: width },
        1,
        width,
        lengths[row],
      );
    }
  }

  /** Inner products. @param {number} step @param {Float32Array} queries @param {number} at */
  #products(step, queries, at) {
    const { memory, rows, keys, lengths } = this.#read;
    const [scores, width, scale] = [this.scores, this.#width, this.#scale];
    for (let row = 0; row < rows; row++) {
      const query = at + row * width;
      for (let key = 0; key < lengths[row]; key++) {
        const place = (key * rows + row) * width;
        let sum = 0;
        for (let j = 0; j < width; j++) sum += queries[query + j] * memory[place + j];
        scores[(step * rows + row) * keys + key] = sum * scale;
      }
    }
  }

  /** vᵀ tanh(W q + U k + b). @param {number} step @param {Float32Array} queries @param {number} at */
  #additive(step, queries, at) {
    const { rows, keys, lengths } = this.#read;
    const hidden = this.#hidden;
    const query = this.#views["attention.query"];
    const kept = this.#views["attention.hidden"];
    const projected = this.#views["attention.keys"];
    const { energy } = /** @type {Weights} */ (this.#own);
    const scores = this.scores;
    query.fill(0, 0, rows * hidden);
    this.#multiply(
      { of: queries, at, row: this.#width },
      { of: this.#views["attention.fromQuery"], row: hidden },
      { of: query, row: hidden },
      rows,
      hidden,
      this.#width,
    );
    for (let row = 0; row < rows; row++) {
      for (let key = 0; key < lengths[row]; key++) {
        const cell = (step * rows + row) * keys + key;
        const place = (key * rows + row) * hidden;
        let sum = 0;
        for (let j = 0; j < hidden; j++) {
          const value = tanh(query[row * hidden + j] + projected[place + j]);
          kept[cell * hidden + j] = value;
          sum += energy[j] * value;
        }
        scores[cell] = sum;
      }
    }
  }

  /** Clears the gradients that steps back add to. */
  clear() {
    if (this.#own) this.#views["attention.byKeys"].fill(0);
  }

  /**
   * A step back: from the gradient of the context to those of the query and the memory.
   * @param {number} step @param {Float32Array} byContext @param {number} from @param {Float32Array} queries @param {number} at
   * @param {Float32Array} byQuery @param {number} to @param {Float32Array} byMemory
   */
  back(step, byContext, from, queries, at, byQuery, to, byMemory) {
    const { memory, rows, keys, lengths } = this.#read;
    const [width, weights] = [this.#width, this.weights];
    const byWeights = this.#views["attention.byWeights"];
    for (let row = 0; row < rows; row++) {
      const first = (step * rows + row) * keys;
      const count = lengths[row];
      const context = from + row * width;
      let mean = 0;
      for (let key = 0; key < count; key++) {
        const place = (key * rows + row) * width;
        let sum = 0;
        for (let j = 0; j < width; j++) sum += byContext[context + j] * memory[place + j];
        byWeights[key] = sum;
        mean += sum * weights[first + key];
      }
      this.#multiply(
        { of: weights, at: first, row: 1 },
        { of: byContext, at: context, row: width },
        { of: byMemory, at: row * width, row: rows * width },
        count,
        width,
        1,
      );
      for (let key = 0; key < count; key++)
        byWeights[key] = weights[first + key] * (byWeights[key] - mean);
      if (this.#own) this.#backOfAdditive(step, row, byWeights);
      else {
        for (let key = 0; key < count; key++) byWeights[key] *= this.#scale;
        this.#multiply(
          { of: byWeights, row: keys },
          { of: memory, at: row * width, row: rows * width },
          { of: byQuery, at: to + row * width, row: width },
          1,
          width,
          count,
        );
        this.#multiply(
          { of: byWeights, row: 1 },
          { of: queries, at: at + row * width, row: width },
          { of: byMemory, at: row * width, row: rows * width },
          count,
          width,
          1,
        );
      }
    }
    if (!this.#own) return;
    const hidden = this.#hidden;
    this.#multiply(
      { of: this.#views["attention.byQuery"], at: step * rows * hidden, row: hidden },
      { of: this.#own.query, row: width },
      { of: byQuery, at: to, row: width },
      rows,
      width,
      hidden,
    );
  }

  /** @param {number} step @param {number} row @param {Float32Array} byScores of this row */
  #backOfAdditive(step, row, byScores) {
    const { rows, keys, lengths } = this.#read;
    const hidden = this.#hidden;
    const kept = this.#views["attention.hidden"];
    const byKeys = this.#views["attention.byKeys"];
    const byQuery = this.#views["attention.byQuery"];
    const { energy } = /** @type {Weights} */ (this.#own);
    const byEnergy = /** @type {Weights} */ (this.#gradients).energy;
    const query = (step * rows + row) * hidden;
    byQuery.fill(0, query, query + hidden);
    for (let key = 0; key < lengths[row]; key++) {
      const change = byScores[key];
      const cell = ((step * rows + row) * keys + key) * hidden;
      const place = (key * rows + row) * hidden;
      for (let j = 0; j < hidden; j++) {
        const value = kept[cell + j];
        byEnergy[j] += change * value;
        const inner = change * energy[j] * (1 - value * value);
        byKeys[place + j] += inner;
        byQuery[query + j] += inner;
      }
    }
  }

  /** Adds the gradients of the weights, once all steps went back. @param {number} steps @param {Float32Array} queries @param {number} at @param {Float32Array} byMemory */
  learn(steps, queries, at, byMemory) {
    if (!this.#own || !this.#gradients) return;
    const { memory, rows, keys } = this.#read;
    const [width, hidden] = [this.#width, this.#hidden];
    const byKeys = this.#views["attention.byKeys"];
    this.#multiply(
      { of: byKeys, row: hidden },
      { of: this.#own.key, row: width },
      { of: byMemory, row: width },
      rows * keys,
      width,
      hidden,
    );
    this.#multiply(
      { of: byKeys, row: 1, column: hidden },
      { of: memory, row: width },
      { of: this.#gradients.key, row: width },
      hidden,
      width,
      rows * keys,
    );
    sumRows(byKeys, this.#gradients.bias, rows * keys);
    this.#multiply(
      { of: this.#views["attention.byQuery"], row: 1, column: hidden },
      { of: queries, at, row: width },
      { of: this.#gradients.query, row: width },
      hidden,
      width,
      steps * rows,
    );
  }
}

/** @param {Float32Array} scores @param {Float32Array} weights @param {number} at @param {number} count @param {number} keys */
function softmax(scores, weights, at, count, keys) {
  let top = -Infinity;
  for (let key = 0; key < count; key++) top = Math.max(top, scores[at + key]);
  let total = 0;
  for (let key = 0; key < count; key++) total += weights[at + key] = exp(scores[at + key] - top);
  for (let key = 0; key < count; key++) weights[at + key] /= total;
  weights.fill(0, at + count, at + keys);
}
