/**
 * Edits of a row of attention: its scores to its weights, as `models/edits/rows.py` defines it for the
 * server. Both are held to the same numbers (tests/models/edits/vectors.json). Pure.
 */

/**
 * An edit of one row: its keys as indices, and its number: a factor, a weight, a temperature or a seed.
 * @typedef {{op: string, keys?: Iterable<number>, number?: number, weights?: number[]}} RowEdit
 */

/** The least score of a key that is not blocked, so that no difference is NaN. */
const LOWEST = -1e30;
const TINY = 1e-300;

/**
 * The weights of a row under its edits, in their order. A masked key has the score null.
 * @param {(number | null)[]} scores @param {RowEdit[]} edits
 */
export function editedRow(scores, edits) {
  const row = new Row(scores);
  for (const edit of edits) row.apply(edit);
  return row.weights;
}

/** The numbers below `count` in a random order: Fisher-Yates with Mulberry32. @param {number} count @param {number} seed */
export function permutation(count, seed) {
  const order = Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last--) {
    seed = (seed + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    const place = Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) * (last + 1)) / 2 ** 32);
    [order[last], order[place]] = [order[place], order[last]];
  }
  return order;
}

/** The scores of a row while edits are applied to it. */
class Row {
  #scores;
  /** False for a masked key, which no edit reaches. */
  #seen;
  /** False for a masked or a blocked key. */
  #live;
  #factors;

  /** @param {(number | null)[]} scores */
  constructor(scores) {
    this.#seen = scores.map((score) => score !== null && score > -Infinity);
    this.#live = [...this.#seen];
    this.#scores = scores.map((score, key) =>
      this.#seen[key] ? Math.max(/** @type {number} */ (score), LOWEST) : 0,
    );
    this.#factors = scores.map(() => 1);
  }

  /** @param {RowEdit} edit */
  apply({ op, keys = [], number = 0, weights = [] }) {
    const named = new Set(keys);
    const chosen = this.#scores.map((_, key) => named.has(key));
    const seesAny = chosen.some((is, key) => is && this.#seen[key]);
    if (op === "block") this.#keep((key) => !chosen[key]);
    else if (op === "only") this.#keep((key) => chosen[key] || !seesAny);
    else if (op === "scale") this.#scale(chosen, number);
    else if (op === "set") this.#set(chosen, number);
    else if (op === "temperature") this.#temper(number);
    else if (op === "uniform") this.#scores.fill(0);
    else if (op === "permute") this.#permute(number);
    else if (op === "row") this.#replace(weights);
    else if (op === "silence")
      this.#factors = this.#factors.map((factor, key) => (chosen[key] ? 0 : factor));
    else throw new Error(`there is no operation ${op} on a row`);
  }

  /** The softmax over the keys that are neither masked nor blocked, without those that are silenced. */
  get weights() {
    const raised = this.#raised(this.#live);
    const total = Math.max(sum(raised), TINY);
    return raised.map((value, key) => (value / total) * this.#factors[key]);
  }

  /** Blocks the keys that do not pass. @param {(key: number) => boolean} passes */
  #keep(passes) {
    this.#live = this.#live.map((live, key) => live && passes(key));
  }

  /** @param {boolean[]} chosen @param {number} factor */
  #scale(chosen, factor) {
    if (factor === 0) this.#keep((key) => !chosen[key]);
    else
      this.#scores = this.#scores.map((score, key) =>
        chosen[key] ? score + Math.log(factor) : score,
      );
  }

  /** @param {boolean[]} chosen @param {number} weight */
  #set(chosen, weight) {
    const mine = this.#seen.map((seen, key) => seen && chosen[key]);
    const others = this.#seen.map((seen, key) => seen && !chosen[key]);
    const whole = weight === 0 || weight === 1;
    if (!mine.includes(true) || (!others.includes(true) && !whole)) return;
    if (weight > 0) this.#revive(mine);
    if (weight < 1) this.#revive(others);
    if (whole) return this.#keep((key) => !(weight === 0 ? mine : others)[key]);
    const odds = Math.log(weight) - Math.log1p(-weight);
    const shift = odds - (this.#logSum(mine) - this.#logSum(others));
    this.#scores = this.#scores.map((score, key) => (mine[key] ? score + shift : score));
  }

  /** Gives equal scores to keys that are all blocked. @param {boolean[]} keys */
  #revive(keys) {
    if (keys.some((is, key) => is && this.#live[key])) return;
    this.#live = this.#live.map((live, key) => live || keys[key]);
    this.#scores = this.#scores.map((score, key) => (keys[key] ? 0 : score));
  }

  /** The highest score of these keys; 0 if there are none. @param {boolean[]} keys */
  #highest(keys) {
    const top = this.#scores.reduce((a, b, key) => (keys[key] ? Math.max(a, b) : a), -Infinity);
    return top > -Infinity ? top : 0;
  }

  /** The logarithm of the sum of the exponentials of these keys. @param {boolean[]} keys */
  #logSum(keys) {
    const live = keys.map((is, key) => is && this.#live[key]);
    return this.#highest(live) + Math.log(Math.max(sum(this.#raised(live)), TINY));
  }

  /** The exponentials of these keys, below the highest of them, and 0 elsewhere. @param {boolean[]} keys */
  #raised(keys) {
    const top = this.#highest(keys);
    return this.#scores.map((score, key) => (keys[key] ? Math.exp(score - top) : 0));
  }

  /** @param {number} temperature */
  #temper(temperature) {
    // Relative to the highest, so that only the lowest can overflow.
    const top = this.#highest(this.#live);
    this.#scores = this.#scores.map((score, key) =>
      this.#live[key] ? Math.max((score - top) / temperature, LOWEST) : 0,
    );
  }

  /** @param {number} seed */
  #permute(seed) {
    const places = this.#live.flatMap((live, key) => (live ? [key] : []));
    const before = [...this.#scores];
    permutation(places.length, seed).forEach((from, at) => {
      this.#scores[places[at]] = before[places[from]];
    });
  }

  /** @param {number[]} weights */
  #replace(weights) {
    const given = this.#seen.map((seen, key) => seen && weights[key] > 0);
    if (!given.includes(true)) return;
    this.#live = given;
    this.#scores = this.#scores.map((score, key) => (given[key] ? Math.log(weights[key]) : score));
  }
}

/** @param {number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);
