/** Adam (Kingma and Ba 2015, algorithm 1) with clipped gradients, as PyTorch has them. Pure. */

const [BETA1, BETA2, EPSILON] = [0.9, 0.999, 1e-8];
const LONGEST = 1;

export class Adam {
  #first;
  #second;
  #powers = [1, 1];

  /** @param {number} size */
  constructor(size) {
    this.#first = new Float32Array(size);
    this.#second = new Float32Array(size);
  }

  /** @param {Float32Array} values @param {Float32Array} gradients @param {number} rate */
  step(values, gradients, rate) {
    this.#powers = [this.#powers[0] * BETA1, this.#powers[1] * BETA2];
    const [bias1, bias2] = this.#powers.map((power) => 1 - power);
    let squares = 0;
    for (let at = 0; at < gradients.length; at++) squares += gradients[at] * gradients[at];
    const clip = Math.min(1, LONGEST / (Math.sqrt(squares) + 1e-6));
    const [first, second] = [this.#first, this.#second];
    for (let at = 0; at < values.length; at++) {
      const gradient = gradients[at] * clip;
      const mean = (first[at] = BETA1 * first[at] + (1 - BETA1) * gradient);
      const square = (second[at] = BETA2 * second[at] + (1 - BETA2) * gradient * gradient);
      values[at] -= ((rate / bias1) * mean) / (Math.sqrt(square / bias2) + EPSILON);
    }
  }
}
