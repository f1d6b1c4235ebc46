/** NumPy's `.npz`: a zip of `.npy` arrays, written without compression, read with or without. Pure. */

/** @import {Numbers, Texts} from "./npy.js" */

import { NpzError, readNpy } from "./npy.js";
import { CENTRAL, END, STORED, joined, word, writeZip } from "./zip.js";

/** Maximum size of all unpacked arrays, a bound on memory. */
const MOST_BYTES = 256 * 1024 * 1024;
const DEFLATED = 8;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** @param {Record<string, Numbers | Texts>} arrays by their names @returns {Uint8Array<ArrayBuffer>} */
export const writeNpz = (arrays) =>
  writeZip(
    Object.fromEntries(Object.entries(arrays).map(([name, array]) => [`${name}.npy`, npy(array)])),
  );

/** @param {Uint8Array<ArrayBuffer>} bytes @returns {Promise<Record<string, Numbers | Texts>>} */
export async function readNpz(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== END) end--;
  if (end < 0) throw new NpzError("This is no whole zip archive.");
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  /** @type {Record<string, Numbers | Texts>} */
  const arrays = {};
  let total = 0;
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== CENTRAL)
      throw new NpzError("The archive is damaged.");
    const [method, packed, size] = [
      view.getUint16(at + 10, true),
      view.getUint32(at + 20, true),
      view.getUint32(at + 24, true),
    ];
    const [name, extra, comment] = [
      view.getUint16(at + 28, true),
      view.getUint16(at + 30, true),
      view.getUint16(at + 32, true),
    ];
    const local = view.getUint32(at + 42, true);
    const file = decoder.decode(bytes.subarray(at + 46, at + 46 + name));
    at += 46 + name + extra + comment;
    if (!file.endsWith(".npy")) continue;
    total += size;
    if (total > MOST_BYTES) throw new NpzError("The arrays are too large for a browser.");
    if (local + 30 > bytes.length) throw new NpzError("The archive is damaged.");
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const body = await unpacked(bytes.subarray(start, start + packed), method, size);
    arrays[file.slice(0, -4)] = readNpy(body, file);
  }
  return arrays;
}

/** @param {Uint8Array<ArrayBuffer>} packed @param {number} method @param {number} size @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function unpacked(packed, method, size) {
  if (method === STORED) return packed;
  if (method !== DEFLATED)
    throw new NpzError("The archive is compressed in a way that NumPy does not use.");
  const reader = new Blob([packed])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"))
    .getReader();
  const parts = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > size) throw new NpzError("The archive is damaged.");
      parts.push(value);
    }
  } catch (error) {
    if (error instanceof NpzError) throw error;
    throw new NpzError("The archive is damaged.");
  }
  return joined(parts);
}

/** @param {Numbers | Texts} array */
function npy({ shape, data }) {
  const texts = typeof data[0] === "string";
  const letters = texts
    ? Math.max(1, .../** @type {string[]} */ (data).map((text) => Array.from(text).length))
    : 0;
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const head = `{'descr': '${texts ? `<U${letters}` : "<f4"}', 'fortran_order': False, 'shape': ${tuple}, }`;
  const padded = head.padEnd(Math.ceil((head.length + 11) / 64) * 64 - 11) + "\n";
  const body = new DataView(new ArrayBuffer(data.length * 4 * (letters || 1)));
  for (let i = 0; i < data.length; i++) {
    if (texts)
      Array.from(String(data[i])).forEach((letter, j) =>
        body.setUint32((i * letters + j) * 4, letter.codePointAt(0) ?? 0, true),
      );
    else body.setFloat32(i * 4, Number(data[i]), true);
  }
  return joined([
    Uint8Array.from([0x93, ...encoder.encode("NUMPY"), 1, 0, ...word(padded.length, 2)]),
    encoder.encode(padded),
    new Uint8Array(body.buffer),
  ]);
}
