/** The resolution of a PNG, so that programs place it at its size in print. Pure. */

import { crc32, joined } from "../core/zip.js";

/** The signature and the header, which come first. */
const HEADER = 8 + 25;
const INCH_METRES = 0.0254;
const PER_METRE = 1;

/** The image with a `pHYs` chunk behind its header. @param {Uint8Array<ArrayBuffer>} png @param {number} dpi */
export function withResolution(png, dpi) {
  const density = Math.round(dpi / INCH_METRES);
  const chunk = new DataView(new ArrayBuffer(4 + 4 + 9 + 4));
  chunk.setUint32(0, 9);
  [..."pHYs"].forEach((letter, at) => chunk.setUint8(4 + at, letter.charCodeAt(0)));
  chunk.setUint32(8, density);
  chunk.setUint32(12, density);
  chunk.setUint8(16, PER_METRE);
  const bytes = new Uint8Array(chunk.buffer);
  chunk.setUint32(17, crc32(bytes.subarray(4, 17)));
  return joined([png.subarray(0, HEADER), bytes, png.subarray(HEADER)]);
}
