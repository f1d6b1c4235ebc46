/**
 * The network: a GRU that reads in both directions, and a GRU with attention that writes. Sizes, names
 * and equations are those of `models/networks`, so that its weights open there. Pure.
 */

/** @import {Edited, Mechanism} from "./attend.js" */
/** @import {Multiply} from "./kernels.js" */
/** @import {Random} from "./numbers.js" */

import { Attend, attentionSizes } from "./attend.js";
import { Cell, cellSizes, fillRows, sumRows, transpose } from "./cell.js";
import { allocate } from "./kernels.js";
import { exp, logarithm, tanh } from "./numbers.js";

/** @typedef {"before" | "after" | "fixed"} Order */
/** @typedef {{mechanism: Mechanism, order: Order, vocabulary: number, embedding: number, width: number, attention: number}} Shape sizes are multiples of 8, or of 4 */
/** @typedef {{rows: number, source: number, target: number}} Capacity */
/** @typedef {{name: string, rows: number, columns: number}} Tensor */
/**
 * Texts as numbers, a step after the other: of each step a token of every row.
 * @typedef {{rows: number, lengths: Int32Array, source: Int32Array, input: Int32Array, output: Int32Array}} Batch
 */

export const PAD = 0;
export const START = 1;
export const END = 2;
const DIRECTIONS = /** @type {const} */ (["forwards", "backwards"]);

/** The tensors of a network, in the order of their numbers. @param {Shape} shape @returns {Tensor[]} */
export function tensorsOf({ mechanism, order, vocabulary, embedding, width, attention }) {
  const half = width / 2;
  const into = embedding + (order === "after" ? 0 : width);
  const joined = 2 * width + (order === "after" ? 0 : embedding);
  /** @type {[string, number, number?][]} */
  const list = [
    ["embedding.weight", vocabulary, embedding],
    ...DIRECTIONS.flatMap((direction) => gru(`encoder.${direction}.0.`, "_l0", embedding, half)),
    ...(mechanism === "additive"
      ? /** @type {[string, number, number?][]} */ ([
          ["decoder.attention.query.weight", attention, width],
          ["decoder.attention.key.weight", attention, width],
          ["decoder.attention.key.bias", attention],
          ["decoder.attention.energy.weight", 1, attention],
        ])
      : []),
    ["decoder.bridge.weight", width, width],
    ["decoder.bridge.bias", width],
    ...gru("decoder.cells.0.", "", into, width),
    ["decoder.join.weight", embedding, joined],
    ["decoder.join.bias", embedding],
    ["decoder.output.weight", vocabulary, embedding],
    ["decoder.output.bias", vocabulary],
  ];
  return list.map(([name, rows, columns]) => ({ name, rows, columns: columns ?? 0 }));
}

/** @param {string} name @param {string} end @param {number} inputs @param {number} width @returns {[string, number, number?][]} */
const gru = (name, end, inputs, width) => [
  [`${name}weight_ih${end}`, 3 * width, inputs],
  [`${name}weight_hh${end}`, 3 * width, width],
  [`${name}bias_ih${end}`, 3 * width],
  [`${name}bias_hh${end}`, 3 * width],
];

/** @param {Tensor} tensor */
export const sizeOf = ({ rows, columns }) => rows * (columns || 1);

/** The count of the numbers of a network. @param {Shape} shape */
const countOf = (shape) => tensorsOf(shape).reduce((total, tensor) => total + sizeOf(tensor), 0);

export class Network {
  /** @type {Shape} */
  shape;
  /** All weights, and their gradients. */
  values;
  gradients;
  /** @type {Map<string, Float32Array>} */
  #weights = new Map();
  /** @type {Map<string, Float32Array>} */
  #slopes = new Map();
  #views;
  /** @type {Multiply} */
  #multiply;
  #encoders;
  #cell;
  #attention;
  /** The sizes of the batch that was encoded last. */
  #rows = 0;
  #keys = 0;
  /** @type {Int32Array} */
  #lengths = new Int32Array();

  /** @param {Shape} shape @param {Capacity} capacity @param {boolean} [simd] */
  constructor(shape, capacity, simd = true) {
    this.shape = shape;
    const { views, multiply } = allocate(sizesOf(shape, capacity), simd);
    this.#views = views;
    this.#multiply = multiply;
    this.values = views.values;
    this.gradients = views.gradients;
    let at = 0;
    for (const tensor of tensorsOf(shape)) {
      const end = at + sizeOf(tensor);
      this.#weights.set(tensor.name, views.values.subarray(at, end));
      this.#slopes.set(tensor.name, views.gradients.subarray(at, end));
      at = end;
    }
    const { embedding, width, mechanism } = shape;
    const cell = (
      /** @type {string} */ name,
      /** @type {string} */ prefix,
      /** @type {string} */ end,
      /** @type {number} */ inputs,
      /** @type {number} */ size,
    ) => {
      const names = {
        ih: `${prefix}weight_ih${end}`,
        hh: `${prefix}weight_hh${end}`,
        bi: `${prefix}bias_ih${end}`,
        bh: `${prefix}bias_hh${end}`,
      };
      return new Cell(
        name,
        views,
        multiply,
        of(this.#weights, names),
        of(this.#slopes, names),
        inputs,
        size,
      );
    };
    this.#encoders = DIRECTIONS.map((direction) =>
      cell(direction, `encoder.${direction}.0.`, "_l0", embedding, width / 2),
    );
    this.#cell = cell("decoder", "decoder.cells.0.", "", this.#into, width);
    const names = {
      query: "decoder.attention.query.weight",
      key: "decoder.attention.key.weight",
      bias: "decoder.attention.key.bias",
      energy: "decoder.attention.energy.weight",
    };
    const own = mechanism === "additive";
    this.#attention =
      mechanism === "none"
        ? null
        : new Attend(
            mechanism,
            views,
            multiply,
            own ? of(this.#weights, names) : null,
            own ? of(this.#slopes, names) : null,
            width,
          );
  }

  get #into() {
    return this.shape.embedding + (this.shape.order === "after" ? 0 : this.shape.width);
  }

  /** The parts of the attentional vector: views, widths, and the first of their columns. */
  get #parts() {
    const { order, embedding, width } = this.shape;
    const state = { name: "state", width, from: order === "after" ? width : 0 };
    const context = { name: "context", width, from: order === "after" ? 0 : width };
    const token = { name: "written", width: embedding, from: 2 * width };
    return order === "after" ? [context, state] : [state, context, token];
  }

  /** @param {string} name */
  weight(name) {
    return /** @type {Float32Array} */ (this.#weights.get(name));
  }

  /** @param {string} name */
  #slope(name) {
    return /** @type {Float32Array} */ (this.#slopes.get(name));
  }

  /** Edits the attention of the steps to come; null ends it. @param {Edited | null} edited */
  set edited(edited) {
    if (this.#attention) this.#attention.edited = edited;
  }

  /** Sets the weights at random, as `Seq2Seq` does. @param {Random} random */
  initialize(random) {
    const { embedding, width } = this.shape;
    for (const { name, rows, columns } of tensorsOf(this.shape)) {
      const values = this.weight(name);
      const cell = /\.(forwards|backwards)\./.test(name) ? width / 2 : width;
      const inputs = name.includes("bias")
        ? Math.max(1, this.weight(name.replace("bias", "weight"))?.length / rows || width)
        : columns;
      const bound = 1 / Math.sqrt(/(weight|bias)_(ih|hh)/.test(name) ? cell : inputs);
      if (name.includes("weight_hh"))
        for (let gate = 0; gate < 3; gate++)
          orthogonal(values.subarray(gate * cell * cell, (gate + 1) * cell * cell), cell, random);
      else if (name === "embedding.weight")
        for (let at = 0; at < values.length; at++)
          values[at] = random.normal() / Math.sqrt(embedding);
      else for (let at = 0; at < values.length; at++) values[at] = (2 * random.next() - 1) * bound;
    }
    this.refresh();
  }

  /** Takes over the weights, once they have changed. */
  refresh() {
    const { vocabulary, embedding, width } = this.shape;
    for (const cell of [...this.#encoders, this.#cell]) cell.refresh();
    this.#attention?.refresh();
    const joined = this.weight("decoder.join.weight").length / embedding;
    transpose(this.weight("decoder.join.weight"), this.#views.fromJoined, embedding, joined);
    transpose(this.weight("decoder.bridge.weight"), this.#views.fromEnds, width, width);
    transpose(this.weight("decoder.output.weight"), this.#views.fromReadout, vocabulary, embedding);
  }

  /** Reads the texts of a batch, and makes the first state of the decoder. @param {Pick<Batch, "rows" | "lengths" | "source">} batch */
  encode({ rows, lengths, source }) {
    const { embedding, width } = this.shape;
    const half = width / 2;
    const keys = source.length / rows;
    const { read, memory, ends, state } = this.#views;
    this.#rows = rows;
    this.#keys = keys;
    this.#lengths = lengths;
    this.#embed(source, read, 0);
    this.#encoders.forEach((cell, direction) => {
      const states = this.#views[`${DIRECTIONS[direction]}.states`];
      const slab = rows * half;
      cell.feed(read, 0, 0, rows * keys, embedding, 0, true);
      states.fill(0, direction ? keys * slab : 0, direction ? (keys + 1) * slab : slab);
      for (let at = 0; at < keys; at++) {
        const step = direction ? keys - 1 - at : at;
        const [from, to] = direction ? [step + 1, step] : [step, step + 1];
        cell.step(step, rows, states, from * slab, to * slab, lengths);
        copyColumns(states, to * slab, memory, (step * rows * 2 + direction) * half, rows, half);
      }
      copyColumns(states, direction ? 0 : keys * slab, ends, direction * half, rows, half);
    });
    fillRows(state, 0, this.weight("decoder.bridge.bias"), rows);
    this.#multiply(
      { of: ends, row: width },
      { of: this.#views.fromEnds, row: width },
      { of: state, row: width },
      rows,
      width,
      width,
    );
    for (let at = 0; at < rows * width; at++) state[at] = tanh(state[at]);
    this.#attention?.prepare({ memory, rows, keys, lengths });
  }

  /** A step of the decoder after these tokens. @param {number} step @param {Int32Array} tokens of all rows */
  step(step, tokens) {
    const { embedding, width, order, vocabulary } = this.shape;
    const rows = this.#rows;
    const { written, context, state, ends, readout, logits } = this.#views;
    const at = step * rows * width;
    this.#embed(tokens, written, step * rows * embedding);
    if (order === "before") this.#attention?.step(step, state, at, context, at);
    if (order === "fixed") context.set(ends.subarray(0, rows * width), at);
    this.#cell.feed(written, step * rows * embedding, step * rows, rows, embedding, 0, true);
    if (order !== "after") this.#cell.feed(context, at, step * rows, rows, width, embedding, false);
    this.#cell.step(step, rows, state, at, at + rows * width, null);
    if (order === "after") this.#attention?.step(step, state, at + rows * width, context, at);
    const to = step * rows * embedding;
    fillRows(readout, to, this.weight("decoder.join.bias"), rows);
    for (const part of this.#parts)
      this.#multiply(
        {
          of: this.#views[part.name],
          at: (part.name === "state" ? step + 1 : step) * rows * part.width,
          row: part.width,
        },
        { of: this.#views.fromJoined, at: part.from * embedding, row: embedding },
        { of: readout, at: to, row: embedding },
        rows,
        embedding,
        part.width,
      );
    for (let place = to; place < to + rows * embedding; place++)
      readout[place] = tanh(readout[place]);
    fillRows(logits, step * rows * vocabulary, this.weight("decoder.output.bias"), rows);
    this.#multiply(
      { of: readout, at: to, row: embedding },
      { of: this.#views.fromReadout, row: vocabulary },
      { of: logits, at: step * rows * vocabulary, row: vocabulary },
      rows,
      vocabulary,
      embedding,
    );
  }

  /** The most probable token of each row after a step. @param {number} step @returns {Int32Array} */
  best(step) {
    const { vocabulary } = this.shape;
    const { logits } = this.#views;
    return Int32Array.from({ length: this.#rows }, (_, row) => {
      const from = (step * this.#rows + row) * vocabulary;
      let best = END;
      for (let token = END; token < vocabulary; token++)
        if (logits[from + token] > logits[from + best]) best = token;
      return best;
    });
  }

  /** The results of a step for a row. @param {number} step @param {number} row */
  seen(step, row) {
    const { vocabulary, width, order } = this.shape;
    const rows = this.#rows;
    const { state, context, logits } = this.#views;
    const slab = (/** @type {number} */ at) => (at * rows + row) * width;
    const place = (step * rows + row) * this.#keys;
    const count = this.#lengths[row];
    const part = (/** @type {Float32Array} */ view, /** @type {number} */ at, size = width) =>
      Array.from(view.subarray(at, at + size));
    const attention = this.#attention;
    return {
      weights: attention ? part(attention.weights, place, count) : null,
      scores: attention ? part(attention.scores, place, count) : null,
      query: part(state, slab(order === "after" ? step + 1 : step)),
      context: part(context, slab(step)),
      state: part(state, slab(step + 1)),
      logits: part(logits, (step * rows + row) * vocabulary, vocabulary),
    };
  }

  /** The states of the encoder of a row. @param {number} row @returns {number[][]} */
  memory(row) {
    const { width } = this.shape;
    return Array.from({ length: this.#lengths[row] }, (_, step) => {
      const at = (step * this.#rows + row) * width;
      return Array.from(this.#views.memory.subarray(at, at + width));
    });
  }

  /** The mean loss of a batch by teacher forcing; its gradients are kept. @param {Batch} batch */
  learn(batch) {
    const { rows, input, output } = batch;
    const steps = input.length / rows;
    this.gradients.fill(0);
    this.encode(batch);
    for (let step = 0; step < steps; step++)
      this.step(step, input.subarray(step * rows, (step + 1) * rows));
    const loss = this.#lossOf(output);
    this.#backOfReadout(steps);
    this.#backOfSteps(steps, input);
    this.#backOfReading(batch.source);
    return loss;
  }

  /** The mean loss; the logits become its gradients. @param {Int32Array} output */
  #lossOf(output) {
    const { vocabulary } = this.shape;
    const { logits } = this.#views;
    let count = 0;
    for (const token of output) count += Number(token !== PAD);
    let loss = 0;
    output.forEach((token, place) => {
      const at = place * vocabulary;
      if (token === PAD) return void logits.fill(0, at, at + vocabulary);
      let top = -Infinity;
      for (let each = 0; each < vocabulary; each++) top = Math.max(top, logits[at + each]);
      const own = logits[at + token] - top;
      let total = 0;
      for (let each = 0; each < vocabulary; each++)
        total += logits[at + each] = exp(logits[at + each] - top);
      for (let each = 0; each < vocabulary; each++) logits[at + each] /= total * count;
      logits[at + token] -= 1 / count;
      loss += logarithm(total) - own;
    });
    return loss / count;
  }

  /** From the gradients of the logits to those of states, contexts and tokens. @param {number} steps */
  #backOfReadout(steps) {
    const { vocabulary, embedding } = this.shape;
    const count = steps * this.#rows;
    const { logits, readout, byReadout } = this.#views;
    this.#multiply(
      { of: logits, row: 1, column: vocabulary },
      { of: readout, row: embedding },
      { of: this.#slope("decoder.output.weight"), row: embedding },
      vocabulary,
      embedding,
      count,
    );
    sumRows(logits, this.#slope("decoder.output.bias"), count);
    byReadout.fill(0, 0, count * embedding);
    this.#multiply(
      { of: logits, row: vocabulary },
      { of: this.weight("decoder.output.weight"), row: embedding },
      { of: byReadout, row: embedding },
      count,
      embedding,
      vocabulary,
    );
    for (let at = 0; at < count * embedding; at++) byReadout[at] *= 1 - readout[at] * readout[at];
    sumRows(byReadout, this.#slope("decoder.join.bias"), count);
    const joined = this.weight("decoder.join.weight").length / embedding;
    for (const { name, width, from } of this.#parts) {
      const shift = name === "state" ? this.#rows * width : 0;
      this.#multiply(
        { of: byReadout, row: 1, column: embedding },
        { of: this.#views[name], at: shift, row: width },
        { of: this.#slope("decoder.join.weight"), at: from, row: joined },
        embedding,
        width,
        count,
      );
      const to = this.#views[`by.${name}`];
      to.fill(0, 0, shift + count * width);
      this.#multiply(
        { of: byReadout, row: embedding },
        { of: this.weight("decoder.join.weight"), at: from, row: joined },
        { of: to, at: shift, row: width },
        count,
        width,
        embedding,
      );
    }
  }

  /** Back through the steps of the decoder. @param {number} steps @param {Int32Array} input */
  #backOfSteps(steps, input) {
    const { order, width, embedding } = this.shape;
    const rows = this.#rows;
    const slab = rows * width;
    const { state, context, written, ends } = this.#views;
    const [byState, byContext] = [this.#views["by.state"], this.#views["by.context"]];
    const [byMemory, byWritten, byEnds] = [
      this.#views["by.memory"],
      this.#views["by.written"],
      this.#views["by.ends"],
    ];
    const attention = this.#attention;
    byMemory.fill(0);
    byEnds.fill(0);
    if (order === "after") byWritten.fill(0);
    attention?.clear();
    for (let step = steps - 1; step >= 0; step--) {
      const [at, next] = [step * slab, (step + 1) * slab];
      if (order === "after")
        attention?.back(step, byContext, at, state, next, byState, next, byMemory);
      this.#cell.back(step, rows, state, at, byState, next, null);
      for (let place = 0; place < slab; place++) byState[at + place] += byState[next + place];
      if (order === "after") continue;
      this.#cell.backToInputs(byContext, at, step * rows, rows, width, embedding);
      if (attention) attention.back(step, byContext, at, state, at, byState, at, byMemory);
      else for (let place = 0; place < slab; place++) byEnds[place] += byContext[at + place];
    }
    attention?.learn(steps, state, order === "after" ? slab : 0, byMemory);
    this.#cell.backToInputs(byWritten, 0, 0, rows * steps, embedding, 0);
    this.#cell.learnInputs(written, rows * steps, embedding, 0);
    if (order !== "after") this.#cell.learnInputs(context, rows * steps, width, embedding);
    this.#cell.learn(state, 0, rows * steps);
    this.#scatter(input, byWritten);
    for (let at = 0; at < slab; at++) byState[at] *= 1 - state[at] * state[at];
    this.#multiply(
      { of: byState, row: 1, column: width },
      { of: ends, row: width },
      { of: this.#slope("decoder.bridge.weight"), row: width },
      width,
      width,
      rows,
    );
    sumRows(byState, this.#slope("decoder.bridge.bias"), rows);
    this.#multiply(
      { of: byState, row: width },
      { of: this.weight("decoder.bridge.weight"), row: width },
      { of: byEnds, row: width },
      rows,
      width,
      width,
    );
  }

  /** Back through the encoder. @param {Int32Array} source */
  #backOfReading(source) {
    const { embedding, width } = this.shape;
    const [rows, keys] = [this.#rows, this.#keys];
    const half = width / 2;
    const slab = rows * half;
    const { read, carried } = this.#views;
    const byRead = this.#views["by.read"];
    byRead.fill(0, 0, rows * keys * embedding);
    this.#encoders.forEach((cell, direction) => {
      const states = this.#views[`${DIRECTIONS[direction]}.states`];
      carried.fill(0, 0, slab);
      addColumns(this.#views["by.ends"], direction * half, carried, rows, half);
      for (let at = keys - 1; at >= 0; at--) {
        const step = direction ? keys - 1 - at : at;
        const from = (step * rows * 2 + direction) * half;
        addColumns(this.#views["by.memory"], from, carried, rows, half);
        const before = (direction ? step + 1 : step) * slab;
        cell.back(step, rows, states, before, carried, 0, this.#lengths);
      }
      cell.learnInputs(read, rows * keys, embedding, 0);
      cell.learn(states, direction ? slab : 0, rows * keys);
      cell.backToInputs(byRead, 0, 0, rows * keys, embedding, 0);
    });
    this.#scatter(source, byRead);
  }

  /** @param {Int32Array} tokens @param {Float32Array} to @param {number} at */
  #embed(tokens, to, at) {
    const { embedding } = this.shape;
    const table = this.weight("embedding.weight");
    for (let place = 0; place < tokens.length; place++)
      for (let j = 0; j < embedding; j++)
        to[at + place * embedding + j] = table[tokens[place] * embedding + j];
  }

  /** Adds the gradients of embedded tokens to those of their vectors. @param {Int32Array} tokens @param {Float32Array} gradients */
  #scatter(tokens, gradients) {
    const { embedding } = this.shape;
    const table = this.#slope("embedding.weight");
    for (let place = 0; place < tokens.length; place++)
      for (let j = 0; j < embedding; j++)
        table[tokens[place] * embedding + j] += gradients[place * embedding + j];
  }
}

/** The sizes of all arrays of a network. @param {Shape} shape @param {Capacity} capacity */
function sizesOf(shape, { rows, source, target }) {
  const { mechanism, order, vocabulary, embedding, width, attention } = shape;
  const half = width / 2;
  const count = countOf(shape);
  const joined = 2 * width + (order === "after" ? 0 : embedding);
  const into = embedding + (order === "after" ? 0 : width);
  return {
    values: count,
    gradients: count,
    read: source * rows * embedding,
    "by.read": source * rows * embedding,
    memory: source * rows * width,
    "by.memory": source * rows * width,
    ends: rows * width,
    "by.ends": rows * width,
    carried: rows * half,
    "forwards.states": (source + 1) * rows * half,
    "backwards.states": (source + 1) * rows * half,
    ...cellSizes("forwards", embedding, half, rows, source),
    ...cellSizes("backwards", embedding, half, rows, source),
    ...cellSizes("decoder", into, width, rows, target),
    ...attentionSizes(mechanism, width, attention, rows, target, source),
    state: (target + 1) * rows * width,
    "by.state": (target + 1) * rows * width,
    context: target * rows * width,
    "by.context": target * rows * width,
    written: target * rows * embedding,
    "by.written": target * rows * embedding,
    readout: target * rows * embedding,
    byReadout: target * rows * embedding,
    logits: target * rows * vocabulary,
    fromJoined: joined * embedding,
    fromEnds: width * width,
    fromReadout: embedding * vocabulary,
  };
}

/** @template {string} K @param {Map<string, Float32Array>} arrays @param {Record<K, string>} names @returns {Record<K, Float32Array>} */
const of = (arrays, names) =>
  /** @type {any} */ (
    Object.fromEntries(Object.entries(names).map(([key, name]) => [key, arrays.get(String(name))]))
  );

/** Copies the rows of a matrix into columns of one that is twice as wide. @param {Float32Array} from @param {number} at @param {Float32Array} to @param {number} place @param {number} rows @param {number} width */
function copyColumns(from, at, to, place, rows, width) {
  for (let row = 0; row < rows; row++)
    for (let j = 0; j < width; j++) to[place + row * 2 * width + j] = from[at + row * width + j];
}

/** Adds columns of a matrix that is twice as wide. @param {Float32Array} from @param {number} at @param {Float32Array} to @param {number} rows @param {number} width */
function addColumns(from, at, to, rows, width) {
  for (let row = 0; row < rows; row++)
    for (let j = 0; j < width; j++) to[row * width + j] += from[at + row * 2 * width + j];
}

/** Makes a square matrix whose rows are at right angles, by Gram and Schmidt. @param {Float32Array} values @param {number} width @param {Random} random */
function orthogonal(values, width, random) {
  for (let row = 0; row < width; row++) {
    const own = values.subarray(row * width, (row + 1) * width);
    for (let j = 0; j < width; j++) own[j] = random.normal();
    for (let pass = 0; pass < 2; pass++)
      for (let before = 0; before < row; before++) {
        const other = values.subarray(before * width, (before + 1) * width);
        const share = own.reduce((sum, value, j) => sum + value * other[j], 0);
        for (let j = 0; j < width; j++) own[j] -= share * other[j];
      }
    const length = Math.sqrt(own.reduce((sum, value) => sum + value * value, 0)) || 1;
    for (let j = 0; j < width; j++) own[j] /= length;
  }
}
