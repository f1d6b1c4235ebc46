/** Arrays of numbers as bytes, put back into the JSON that refers to them. Pure. */

/** The weights of a trace have five digits; as 32-bit numbers they have more. */
const DIGITS = 1e5;

/**
 * The place of an array among the numbers, and its shape.
 * @typedef {{at: number, shape: number[]}} Place
 */

/**
 * The value with each `{array: {at, shape}}` replaced by nested arrays. Numbers that are not finite
 * become null, as in JSON.
 * @param {unknown} value @param {Float32Array} numbers @returns {unknown}
 */
export function unpacked(value, numbers) {
  if (Array.isArray(value)) return value.map((each) => unpacked(each, numbers));
  if (typeof value !== "object" || value === null) return value;
  if ("array" in value) {
    const { at, shape } = /** @type {Place} */ (value.array);
    return nested(numbers, at, shape);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, unpacked(each, numbers)]),
  );
}

/** @param {Float32Array} numbers @param {number} at @param {number[]} shape @returns {unknown[]} */
function nested(numbers, at, [length, ...inner]) {
  if (!inner.length)
    return Array.from(numbers.subarray(at, at + length), (number) =>
      Number.isFinite(number) ? Math.round(number * DIGITS) / DIGITS : null,
    );
  const size = inner.reduce((product, each) => product * each, 1);
  return Array.from({ length }, (_, row) => nested(numbers, at + row * size, inner));
}
