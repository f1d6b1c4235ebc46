/**
 * A value as compressed text, which `shell/unpack.js` reads. The format is that of
 * output/page/packing.py; numbers stay in the JSON. Pure.
 */

/** Printable characters without a meaning in HTML. Two of these 91 hold 13 bits. */
const SYMBOLS = Array.from({ length: 94 }, (_, place) => String.fromCharCode(33 + place))
  .filter((symbol) => !'<&"'.includes(symbol))
  .join("");
const BITS = 13;

/** The text of a value, and the number of bytes that it holds. @param {object} value */
export async function packed(value) {
  const content = new Blob([`${JSON.stringify(value)}\n`]);
  const stream = content.stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return { text: asText(bytes), size: bytes.length };
}

/** @param {Uint8Array} bytes */
function asText(bytes) {
  /** @type {string[]} */
  const pairs = [];
  let bits = 0;
  let count = 0;
  const add = (/** @type {number} */ value) =>
    pairs.push(SYMBOLS.charAt(value / SYMBOLS.length) + SYMBOLS.charAt(value % SYMBOLS.length));
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    count += 8;
    if (count < BITS) continue;
    count -= BITS;
    add(bits >> count);
    bits &= (1 << count) - 1;
  }
  if (count) add(bits << (BITS - count));
  return pairs.join("");
}
