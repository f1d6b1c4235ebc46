/** A zip archive, written without compression. Pure. */

const LOCAL = 0x04034b50;
export const CENTRAL = 0x02014b50;
export const END = 0x06054b50;
export const STORED = 0;

const encoder = new TextEncoder();

/** @param {Record<string, Uint8Array>} files by their names @returns {Uint8Array<ArrayBuffer>} */
export function writeZip(files) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const [name, body] of Object.entries(files)) {
    const file = encoder.encode(name);
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

/** @param {number} value @param {number} count of bytes, the lowest first */
export const word = (value, count) =>
  Array.from({ length: count }, (_, i) => (value >>> (8 * i)) & 255);

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
