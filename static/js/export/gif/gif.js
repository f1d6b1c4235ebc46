/** An endlessly repeating animated GIF (GIF89a), written frame by frame. Pure. */

import { joined } from "../../core/zip.js";
import { lzw } from "./lzw.js";

const encoder = new TextEncoder();
/** Disposal method 1: a frame stays, and the next one is drawn over it. */
const KEEP_FRAME = 1 << 2;

export class Gif {
  /** @type {Uint8Array[]} */
  #parts = [];
  /** @type {Uint8Array | null} the previous frame */
  #before = null;
  #width;
  #bits;

  /** @param {number} width @param {number} height @param {number[]} table of at most 256 colours as 0xrrggbb */
  constructor(width, height, table) {
    this.#width = width;
    this.#bits = Math.max(2, Math.ceil(Math.log2(Math.max(table.length, 2))));
    const colours = new Uint8Array(3 << this.#bits);
    table.forEach((colour, index) =>
      colours.set([colour >> 16, (colour >> 8) & 255, colour & 255], index * 3),
    );
    const flags = 0x80 | 0x70 | (this.#bits - 1); // a global table, eight bits per channel
    this.#parts.push(
      encoder.encode("GIF89a"),
      Uint8Array.from([...short(width), ...short(height), flags, 0, 0]),
      colours,
    );
    this.#parts.push(
      Uint8Array.of(0x21, 0xff, 11),
      encoder.encode("NETSCAPE2.0"),
      Uint8Array.of(3, 1, 0, 0, 0),
    );
  }

  /**
   * Adds a frame. Only the rectangle that has changed is written.
   * @param {Uint8Array} indices into the table @param {number} ms its duration
   */
  add(indices, ms) {
    const { left, top, width, height } = this.#changed(indices);
    const delay = Math.max(2, Math.round(ms / 10)); // browsers ignore delays under 20 ms
    this.#parts.push(Uint8Array.from([0x21, 0xf9, 4, KEEP_FRAME, ...short(delay), 0, 0]));
    this.#parts.push(
      Uint8Array.from([0x2c, ...short(left), ...short(top), ...short(width), ...short(height), 0]),
    );
    const cut = new Uint8Array(width * height);
    for (let row = 0; row < height; row++) {
      const start = (top + row) * this.#width + left;
      cut.set(indices.subarray(start, start + width), row * width);
    }
    this.#parts.push(...lzw(cut, this.#bits));
    this.#before = indices;
  }

  /** @returns {Uint8Array<ArrayBuffer>} the file */
  end() {
    return joined([...this.#parts, Uint8Array.of(0x3b)]);
  }

  /** @param {Uint8Array} indices */
  #changed(indices) {
    const wide = this.#width;
    const high = indices.length / wide;
    const before = this.#before;
    if (!before) return { left: 0, top: 0, width: wide, height: high };
    let [left, right, top, bottom] = [wide, -1, high, -1];
    for (let at = 0; at < indices.length; at++) {
      if (indices[at] === before[at]) continue;
      const [x, y] = [at % wide, Math.floor(at / wide)];
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
    if (right < 0) return { left: 0, top: 0, width: 1, height: 1 };
    return { left, top, width: right - left + 1, height: bottom - top + 1 };
  }
}

/** The bytes of a 16-bit number, little-endian. @param {number} value */
const short = (value) => [value & 255, value >> 8];
