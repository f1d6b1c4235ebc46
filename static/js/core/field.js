/** A row of weights as a smooth field over the picture, and the lines around most of it. Pure. */

/** Points of the field per cell, in each direction: enough for a smooth picture. */
export const FINE = 6;
/** Standard deviation of the Gaussian of the maximum smoothing, in cells. */
const WIDEST = 1.5;

/**
 * @typedef {object} Field
 * @property {number} width @property {number} height
 * @property {Float64Array} values row by row
 */

/**
 * The weights on a finer grid. Without smoothing every point has the weight of its cell; with it
 * a Gaussian mean of the cells around, which is normalized at the edges, so that uniform weights
 * stay uniform.
 * @param {number[]} weights @param {number} rows @param {number} columns @param {number} smoothing between 0 and 1 @param {number} [fine]
 * @returns {Field}
 */
export function fieldOf(weights, rows, columns, smoothing, fine = FINE) {
  const across = spread(columns, fine, smoothing * WIDEST);
  const down = spread(rows, fine, smoothing * WIDEST);
  const [width, height] = [columns * fine, rows * fine];
  const wide = new Float64Array(rows * width);
  for (let row = 0; row < rows; row++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let column = 0; column < columns; column++)
        sum += across[x][column] * weights[row * columns + column];
      wide[row * width + x] = sum;
    }
  }
  const values = new Float64Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let row = 0; row < rows; row++) {
      const share = down[y][row];
      if (share < 1e-6) continue;
      for (let x = 0; x < width; x++) values[y * width + x] += share * wide[row * width + x];
    }
  }
  return { width, height, values };
}

/** For each point along a side, the share of each cell in its value. @param {number} count @param {number} fine @param {number} deviation */
function spread(count, fine, deviation) {
  return Array.from({ length: count * fine }, (_, point) => {
    const place = (point + 0.5) / fine - 0.5;
    const own = Math.floor(point / fine);
    if (deviation < 0.05) return Array.from({ length: count }, (_, cell) => Number(cell === own));
    const shares = Array.from({ length: count }, (_, cell) =>
      Math.exp(-(((cell - place) / deviation) ** 2) / 2),
    );
    const total = shares.reduce((sum, share) => sum + share, 0);
    return shares.map((share) => share / total);
  });
}

/** The field with this maximum. @param {Field} field @param {number} most @returns {Field} */
export function scaledTo(field, most) {
  const factor = most / (peak(field) || 1);
  return { ...field, values: field.values.map((value) => value * factor) };
}

/** @param {Field} field its value that is farthest from 0 */
export const peak = ({ values }) =>
  values.reduce((top, value) => Math.max(top, Math.abs(value)), 0);

/**
 * The level above which the field has this share of its total: its contour surrounds the smallest
 * region with that share.
 * @param {Field} field @param {number} share between 0 and 1
 */
export function levelOf({ values }, share) {
  const order = values.toSorted().reverse();
  const goal = share * order.reduce((sum, value) => sum + value, 0);
  let held = 0;
  for (const value of order) {
    held += value;
    if (held >= goal) return value;
  }
  return 0;
}

/**
 * The sides of a square of four points that the contour crosses, by the corners that are above the
 * level: 8 for upper left, 4 upper right, 2 lower right, 1 lower left.
 * @type {string[]}
 */
const CROSSED = [
  "",
  "lb",
  "br",
  "lr",
  "tr",
  "ltbr",
  "tb",
  "lt",
  "lt",
  "tb",
  "trlb",
  "tr",
  "lr",
  "br",
  "lb",
  "",
];

/**
 * The lines between what is above the level and what is not (marching squares), as a path in
 * thousandths of the picture's sides. A region at the edge is closed there.
 * @param {Field} field @param {number} level @returns {string}
 */
export function outline({ width, height, values }, level) {
  const at = (/** @type {number} */ x, /** @type {number} */ y) =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : values[y * width + x];
  const place = (/** @type {number} */ x, /** @type {number} */ y) =>
    `${thousandth(clip((x + 0.5) / width))} ${thousandth(clip((y + 0.5) / height))}`;
  // The position between two points at which the level is crossed.
  const passed = (/** @type {number} */ from, /** @type {number} */ to) =>
    (level - from) / (to - from);
  let path = "";
  for (let y = -1; y < height; y++) {
    for (let x = -1; x < width; x++) {
      const [a, b, c, d] = [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
      const code =
        Number(a >= level) * 8 +
        Number(b >= level) * 4 +
        Number(c >= level) * 2 +
        Number(d >= level);
      /** @type {Record<string, () => string>} */
      const sides = {
        t: () => place(x + passed(a, b), y),
        r: () => place(x + 1, y + passed(b, c)),
        b: () => place(x + passed(d, c), y + 1),
        l: () => place(x, y + passed(a, d)),
      };
      const crossed = CROSSED[code];
      for (let side = 0; side < crossed.length; side += 2)
        path += `M${sides[crossed[side]]()}L${sides[crossed[side + 1]]()}`;
    }
  }
  return path;
}

/** @param {number} share */
const clip = (share) => Math.min(Math.max(share, 0), 1);

/** @param {number} value */
const thousandth = (value) => Math.round(value * 10000) / 10;
