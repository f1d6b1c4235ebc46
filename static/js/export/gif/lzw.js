/** The compression of GIF: Lempel, Ziv and Welch, with codes of growing width. Pure. */

const MOST_CODES = 4096;

/**
 * Compresses colour indices into sub-blocks of the file, after the minimum size of a code.
 * @param {Uint8Array} indices @param {number} bits of an index, 2 to 8 @returns {Uint8Array[]}
 */
export function lzw(indices, bits) {
  const clear = 1 << bits;
  const out = new BitWriter();
  /** By the code of a string and the next index: the code of the longer string, or 0. */
  const longer = new Uint16Array(MOST_CODES << bits);
  let width = bits + 1;
  let next = clear + 2;
  out.write(clear, width);
  let code = indices[0];
  for (let at = 1; at < indices.length; at++) {
    const place = (code << bits) | indices[at];
    if (longer[place]) {
      code = longer[place];
      continue;
    }
    out.write(code, width);
    if (next === MOST_CODES) {
      out.write(clear, width);
      longer.fill(0);
      width = bits + 1;
      next = clear + 2;
    } else {
      if (next === 1 << width) width++;
      longer[place] = next++;
    }
    code = indices[at];
  }
  out.write(code, width);
  // The decoder adds the same code, and reads wider codes from here on.
  if (next === 1 << width && width < 12) width++;
  out.write(clear + 1, width);
  return [Uint8Array.of(bits), ...out.blocks(), Uint8Array.of(0)];
}

/** Packs codes into bytes, the lowest bit first. */
class BitWriter {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;
  #held = 0;
  #count = 0;

  /** @param {number} value @param {number} width */
  write(value, width) {
    this.#held |= value << this.#count;
    this.#count += width;
    while (this.#count >= 8) {
      this.#push(this.#held & 0xff);
      this.#held >>>= 8;
      this.#count -= 8;
    }
  }

  /** Sub-blocks of at most 255 bytes, each after its length. */
  *blocks() {
    if (this.#count) this.#push(this.#held & 0xff);
    this.#count = 0;
    for (let at = 0; at < this.#length; at += 255) {
      const block = this.#bytes.subarray(at, Math.min(at + 255, this.#length));
      yield Uint8Array.of(block.length);
      yield block;
    }
  }

  /** @param {number} byte */
  #push(byte) {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = byte;
  }
}
