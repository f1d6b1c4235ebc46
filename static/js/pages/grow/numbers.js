/** Functions on numbers that give the same in every browser, which those of `Math` need not. Pure. */

const MOST = 87;
const POWERS = Float64Array.from({ length: 2 * 128 }, (_, place) => 2 ** (place - 128));

/** e to the power of a number, to about the precision of a 32-bit float. @param {number} value */
export function exp(value) {
  const x = value > MOST ? MOST : value < -MOST ? -MOST : value;
  const n = Math.round(x * 1.4426950408889634);
  const r = x - n * 0.6931471805599453;
  const sum =
    1 +
    r * (1 + r * (1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * (1 / 720 + r / 5040))))));
  return sum * POWERS[n + 128];
}

/** @param {number} value */
export const sigmoid = (value) => 1 / (1 + exp(-value));
/** @param {number} value */
export const tanh = (value) => 1 - 2 / (exp(2 * value) + 1);

/** Numbers at random from a seed (sfc32): the same in every browser. */
export class Random {
  #state;
  /** The second of a pair of normal numbers. @type {number | null} */
  #spare = null;

  /** @param {number} seed @param {number} [stream] another sequence from the same seed */
  constructor(seed, stream = 0) {
    this.#state = Uint32Array.of(seed, stream, 0x9e3779b9, 1);
    for (let at = 0; at < 15; at++) this.next();
  }

  /** A number from 0 to below 1. */
  next() {
    const s = this.#state;
    const sum = (s[0] + s[1] + s[3]) >>> 0;
    s[3] += 1;
    s[0] = s[1] ^ (s[1] >>> 9);
    s[1] = s[2] + (s[2] << 3);
    s[2] = ((s[2] << 21) | (s[2] >>> 11)) + sum;
    return sum / 0x100000000;
  }

  /** A whole number from 0 to below a bound. @param {number} bound */
  below(bound) {
    return Math.floor(this.next() * bound);
  }

  /** One of a list. @template T @param {readonly T[] | string} list @returns {T} */
  of(list) {
    return /** @type {T} */ (list[this.below(list.length)]);
  }

  /** A number from a normal distribution (Marsaglia's polar method, without functions of `Math` but the root). */
  normal() {
    if (this.#spare !== null) {
      const spare = this.#spare;
      this.#spare = null;
      return spare;
    }
    for (;;) {
      const u = 2 * this.next() - 1;
      const v = 2 * this.next() - 1;
      const s = u * u + v * v;
      if (s > 0 && s < 1) {
        const factor = Math.sqrt((-2 * logarithm(s)) / s);
        this.#spare = v * factor;
        return u * factor;
      }
    }
  }
}

/** The natural logarithm, by Newton's method on `exp`. @param {number} value above 0 */
export function logarithm(value) {
  let exponent = 0;
  let mantissa = value;
  while (mantissa < 0.75) {
    mantissa *= 2;
    exponent--;
  }
  while (mantissa >= 1.5) {
    mantissa /= 2;
    exponent++;
  }
  const y = (mantissa - 1) / (mantissa + 1); // ln m = 2 artanh y
  const square = y * y;
  let sum = 0;
  for (let power = 21; power >= 1; power -= 2) sum = sum * square + 2 / power;
  return sum * y + exponent * 0.6931471805599453;
}
