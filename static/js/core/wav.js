/** Sounds as WAV files. Pure. */

/** Samples between -1 and 1 as a WAV file of 16 bits. @param {Float32Array} samples @param {number} rate */
export function wavOf(samples, rate) {
  const bytes = new ArrayBuffer(44 + 2 * samples.length);
  const view = new DataView(bytes);
  const word = (/** @type {number} */ at, /** @type {string} */ text) =>
    [...text].forEach((letter, place) => view.setUint8(at + place, letter.charCodeAt(0)));
  word(0, "RIFF");
  view.setUint32(4, 36 + 2 * samples.length, true);
  word(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true); // PCM
  view.setUint16(22, 1, true); // channel
  view.setUint32(24, rate, true);
  view.setUint32(28, 2 * rate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  word(36, "data");
  view.setUint32(40, 2 * samples.length, true);
  samples.forEach((value, place) =>
    view.setInt16(44 + 2 * place, Math.round(32767 * Math.min(Math.max(value, -1), 1)), true),
  );
  return bytes;
}
