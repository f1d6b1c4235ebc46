/** Reads an array of NumPy, as it stands in a file of its own or in an archive. Pure. */

/** @typedef {{shape: number[], data: ArrayLike<number>}} Numbers */
/** @typedef {{shape: number[], data: string[]}} Texts */

/** A file that cannot be read; the message says why. */
export class NpzError extends Error {}

/** Layers, heads, rows and columns. */
const MOST_DIMENSIONS = 4;

const decoder = new TextDecoder();

/** The size of each type of number in bytes, and its reader. @type {Record<string, [number, (view: DataView, at: number) => number]>} */
const TYPES = {
  "<f4": [4, (view, at) => view.getFloat32(at, true)],
  "<f8": [8, (view, at) => view.getFloat64(at, true)],
  "<f2": [2, (view, at) => half(view.getUint16(at, true))],
  "<i4": [4, (view, at) => view.getInt32(at, true)],
  "<i8": [8, (view, at) => Number(view.getBigInt64(at, true))],
  "|u1": [1, (view, at) => view.getUint8(at)],
};

/** @param {Uint8Array<ArrayBuffer>} bytes @param {string} file @returns {Numbers | Texts} */
export function readNpy(bytes, file) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || view.getUint32(0) !== 0x934e554d)
    throw new NpzError(`${file} is no array of NumPy's.`);
  const [size, from] =
    bytes[6] === 1 ? [view.getUint16(8, true), 10] : [view.getUint32(8, true), 12];
  const head = decoder.decode(bytes.subarray(from, from + size));
  const type = /'descr':\s*'([^']+)'/.exec(head)?.[1] ?? "";
  const shape = (/'shape':\s*\(([^)]*)\)/.exec(head)?.[1] ?? "")
    .split(",")
    .filter((part) => part.trim())
    .map(Number);
  const count = shape.reduce((product, length) => product * length, 1);
  if (shape.length > MOST_DIMENSIONS || !(count > 0))
    throw new NpzError(`${file} is empty, or has more than ${MOST_DIMENSIONS} dimensions.`);
  if (/'fortran_order':\s*True/.test(head) && shape.length > 1)
    throw new NpzError(`${file} is stored column by column: save np.ascontiguousarray of it.`);
  const letters = /^<U(\d+)$/.exec(type);
  const width = letters ? Number(letters[1]) * 4 : TYPES[type]?.[0];
  if (!width)
    throw new NpzError(
      `${file} holds ${type || "something"}: numbers or texts are wanted, no objects.`,
    );
  const start = from + size;
  if (start + count * width > bytes.length) throw new NpzError(`${file} is cut off.`);
  if (!letters)
    return {
      shape,
      data: Float64Array.from({ length: count }, (_, i) => TYPES[type][1](view, start + i * width)),
    };
  const text = (/** @type {number} */ i) => {
    const codes = Array.from({ length: width / 4 }, (_, j) =>
      view.getUint32(start + i * width + j * 4, true),
    );
    return codes
      .filter((code) => code > 0 && code < 0x110000)
      .map((code) => String.fromCodePoint(code))
      .join("");
  };
  return { shape, data: Array.from({ length: count }, (_, i) => text(i)) };
}

/** @param {number} bits of a 16-bit float */
function half(bits) {
  const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
