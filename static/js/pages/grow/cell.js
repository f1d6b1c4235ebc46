/** A gated recurrent unit as PyTorch has it, for many rows, forwards and backwards through time. Pure. */

/** @import {Multiply} from "./kernels.js" */

import { sigmoid, tanh } from "./numbers.js";

/** @typedef {Record<string, Float32Array>} Arrays */

/**
 * The sizes of what a cell keeps.
 * @param {string} name @param {number} inputs @param {number} width @param {number} rows @param {number} steps
 * @returns {Record<string, number>}
 */
export const cellSizes = (name, inputs, width, rows, steps) => ({
  [`${name}.gates`]: steps * rows * 3 * width, // r, z, n
  [`${name}.proposed`]: steps * rows * width, // of n, what r scales
  [`${name}.byInputs`]: steps * rows * 3 * width, // gradients of the sums from the inputs
  [`${name}.byState`]: steps * rows * 3 * width, // and from the state
  [`${name}.sums`]: rows * 3 * width,
  [`${name}.fromInputs`]: inputs * 3 * width, // weights, transposed
  [`${name}.fromState`]: width * 3 * width,
});

export class Cell {
  #multiply;
  #weights;
  #gradients;
  #gates;
  #proposed;
  #sums;
  #width;
  #fromInputs;
  #fromState;
  #byInputs;
  #byState;
  #inputs;

  /**
   * @param {string} name @param {Arrays} views @param {Multiply} multiply
   * @param {Record<"ih" | "hh" | "bi" | "bh", Float32Array>} weights @param {Record<"ih" | "hh" | "bi" | "bh", Float32Array>} gradients
   * @param {number} inputs @param {number} width
   */
  constructor(name, views, multiply, weights, gradients, inputs, width) {
    this.#multiply = multiply;
    this.#weights = weights;
    this.#gradients = gradients;
    this.#inputs = inputs;
    this.#width = width;
    this.#gates = views[`${name}.gates`];
    this.#proposed = views[`${name}.proposed`];
    this.#sums = views[`${name}.sums`];
    this.#byInputs = views[`${name}.byInputs`];
    this.#byState = views[`${name}.byState`];
    this.#fromInputs = views[`${name}.fromInputs`];
    this.#fromState = views[`${name}.fromState`];
  }

  /** Takes over the weights, once they have changed. */
  refresh() {
    transpose(this.#weights.ih, this.#fromInputs, 3 * this.#width, this.#inputs);
    transpose(this.#weights.hh, this.#fromState, 3 * this.#width, this.#width);
  }

  /** Adds inputs to the sums of these rows, which may be those of several steps. @param {Float32Array} x @param {number} at @param {number} row the first @param {number} rows @param {number} columns of the inputs @param {number} from the first of them @param {boolean} first true before other inputs */
  feed(x, at, row, rows, columns, from, first) {
    const three = 3 * this.#width;
    if (first) fillRows(this.#gates, row * three, this.#weights.bi, rows);
    this.#multiply(
      { of: x, at, row: columns },
      { of: this.#fromInputs, at: from * three, row: three },
      { of: this.#gates, at: row * three, row: three },
      rows,
      three,
      columns,
    );
  }

  /**
   * A step of rows whose inputs were fed. A row that has ended keeps its state.
   * @param {number} t @param {number} rows @param {Float32Array} states @param {number} from @param {number} to
   * @param {Int32Array | null} lengths
   */
  step(t, rows, states, from, to, lengths) {
    const width = this.#width;
    const three = 3 * width;
    const [gates, sums, proposed] = [this.#gates, this.#sums, this.#proposed];
    fillRows(sums, 0, this.#weights.bh, rows);
    this.#multiply(
      { of: states, at: from, row: width },
      { of: this.#fromState, row: three },
      { of: sums, row: three },
      rows,
      three,
      width,
    );
    for (let row = 0; row < rows; row++) {
      const ended = lengths !== null && t >= lengths[row];
      const gate = (t * rows + row) * three;
      const sum = row * three;
      const keep = (t * rows + row) * width;
      const before = from + row * width;
      const after = to + row * width;
      for (let j = 0; j < width; j++) {
        if (ended) {
          states[after + j] = states[before + j];
          continue;
        }
        const r = sigmoid(gates[gate + j] + sums[sum + j]);
        const z = sigmoid(gates[gate + width + j] + sums[sum + width + j]);
        const inner = sums[sum + 2 * width + j];
        const n = tanh(gates[gate + 2 * width + j] + r * inner);
        gates[gate + j] = r;
        gates[gate + width + j] = z;
        gates[gate + 2 * width + j] = n;
        proposed[keep + j] = inner;
        states[after + j] = (1 - z) * n + z * states[before + j];
      }
    }
  }

  /**
   * A step back: from the gradient of the new state to that of the old one, in the same place.
   * @param {number} t @param {number} rows @param {Float32Array} states @param {number} from
   * @param {Float32Array} gradient @param {number} at @param {Int32Array | null} lengths
   */
  back(t, rows, states, from, gradient, at, lengths) {
    const width = this.#width;
    const three = 3 * width;
    const [gates, proposed, byInputs, byState] = [
      this.#gates,
      this.#proposed,
      this.#byInputs,
      this.#byState,
    ];
    for (let row = 0; row < rows; row++) {
      const ended = lengths !== null && t >= lengths[row];
      const gate = (t * rows + row) * three;
      if (ended) {
        byInputs.fill(0, gate, gate + three);
        byState.fill(0, gate, gate + three);
        continue;
      }
      const keep = (t * rows + row) * width;
      const before = from + row * width;
      for (let j = 0; j < width; j++) {
        const change = gradient[at + row * width + j];
        const r = gates[gate + j];
        const z = gates[gate + width + j];
        const n = gates[gate + 2 * width + j];
        const byN = change * (1 - z) * (1 - n * n);
        const byR = byN * proposed[keep + j] * r * (1 - r);
        const byZ = change * (states[before + j] - n) * z * (1 - z);
        byInputs[gate + j] = byR;
        byInputs[gate + width + j] = byZ;
        byInputs[gate + 2 * width + j] = byN;
        byState[gate + j] = byR;
        byState[gate + width + j] = byZ;
        byState[gate + 2 * width + j] = byN * r;
        gradient[at + row * width + j] = change * z;
      }
    }
    this.#multiply(
      { of: byState, at: t * rows * three, row: three },
      { of: this.#weights.hh, row: width },
      { of: gradient, at, row: width },
      rows,
      width,
      three,
    );
  }

  /** Adds the gradient of some inputs of these rows. @param {Float32Array} to @param {number} at @param {number} row the first @param {number} rows @param {number} columns @param {number} from */
  backToInputs(to, at, row, rows, columns, from) {
    const three = 3 * this.#width;
    this.#multiply(
      { of: this.#byInputs, at: row * three, row: three },
      { of: this.#weights.ih, at: from, row: this.#inputs },
      { of: to, at, row: columns },
      rows,
      columns,
      three,
    );
  }

  /** Adds the gradients of the weights of some inputs, of all rows and steps at once. @param {Float32Array} x @param {number} rows @param {number} columns @param {number} from */
  learnInputs(x, rows, columns, from) {
    const three = 3 * this.#width;
    this.#multiply(
      { of: this.#byInputs, row: 1, column: three },
      { of: x, row: columns },
      { of: this.#gradients.ih, at: from, row: this.#inputs },
      three,
      columns,
      rows,
    );
  }

  /** Adds the gradients of the other weights. @param {Float32Array} states before each step @param {number} at @param {number} rows of all steps */
  learn(states, at, rows) {
    const width = this.#width;
    const three = 3 * width;
    this.#multiply(
      { of: this.#byState, row: 1, column: three },
      { of: states, at, row: width },
      { of: this.#gradients.hh, row: width },
      three,
      width,
      rows,
    );
    sumRows(this.#byInputs, this.#gradients.bi, rows);
    sumRows(this.#byState, this.#gradients.bh, rows);
  }
}

/** Writes a matrix with rows and columns exchanged. @param {Float32Array} from @param {Float32Array} to @param {number} rows @param {number} columns */
export function transpose(from, to, rows, columns) {
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) to[j * rows + i] = from[i * columns + j];
}

/** Writes the same row several times. @param {Float32Array} to @param {number} at @param {Float32Array} row @param {number} rows */
export function fillRows(to, at, row, rows) {
  for (let i = 0; i < rows; i++) to.set(row, at + i * row.length);
}

/** Adds all rows of a matrix to one. @param {Float32Array} from @param {Float32Array} to @param {number} rows */
export function sumRows(from, to, rows) {
  const width = to.length;
  for (let i = 0; i < rows; i++) for (let j = 0; j < width; j++) to[j] += from[i * width + j];
}
