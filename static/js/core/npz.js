/** NumPy's `.npz`: a zip of `.npy` arrays, written without compression, read with or without. Pure. */

/** @import {Numbers, Texts} from "./npy.js" */

import { NpzError, readNpy } from "./npy.js";

/** Maximum size of all unpacked arrays, a bound on memory. */
const MOST_BYTES = 256 * 1024 * 1024;
const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const STORED = 0;
const DEFLATED = 8;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** @param {Record<string, Numbers | Texts>} arrays by their names @returns {Uint8Array<ArrayBuffer>} */
export function writeNpz(arrays) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const [name, array] of Object.entries(arrays)) {
    const file = encoder.encode(`${name}.npy`);
    const body = npy(array);
    const shared = [
      ...word(20, 2),
      ...word(0x0800, 2),
      ...word(STORED, 2),
      ...word(0, 2),
      ...word(0x21, 2),
      ...word(crc32(body), 4),
      ...word(body.length, 4),
      ...word(body.length, 4),
      ...word(file.length, 2),
      ...word(0, 2),
    ];
    const head = Uint8Array.from([...word(LOCAL, 4), ...shared, ...file]);
    directory.push(
      Uint8Array.from([
        ...word(CENTRAL, 4),
        ...word(20, 2),
        ...shared,
        ...word(0, 2),
        ...word(0, 2),
        ...word(0, 2),
        ...word(0, 4),
        ...word(at, 4),
        ...file,
      ]),
    );
    parts.push(head, body);
    at += head.length + body.length;
  }
  const size = directory.reduce((total, entry) => total + entry.length, 0);
  const end = Uint8Array.from([
    ...word(END, 4),
    ...word(0, 4),
    ...word(directory.length, 2),
    ...word(directory.length, 2),
    ...word(size, 4),
    ...word(at, 4),
    ...word(0, 2),
  ]);
  return joined([...parts, ...directory, end]);
}

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
    const [name, extra, comment] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
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

/** @param {number} value @param {number} count of bytes, the lowest first */
const word = (value, count) => Array.from({ length: count }, (_, i) => (value >>> (8 * i)) & 255);

/** @param {Uint8Array[]} parts @returns {Uint8Array<ArrayBuffer>} */
export function joined(parts) {
  const whole = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** @param {Uint8Array} bytes */
export function crc32(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = TABLE[(value ^ byte) & 255] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
