/** The request for what is heard in a sound: its form, and the calls that make it again. Pure. */

/** @import {Model, TranslateBody} from "./types" */

export const TRANSCRIBE = "/api/v1/transcribe";

/** @param {Pick<Model, "task">} model */
export const hears = ({ task }) => task === "transcribe";

/** The fields of the form beside the sound. @param {TranslateBody} body @returns {[string, string][]} */
export const soundFields = ({ text: _, ...body }) =>
  Object.entries(body).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);

/** The call with curl. @param {string} origin @param {TranslateBody} body whose text is the name of the file */
export function soundCurl(origin, body) {
  const fields = soundFields(body).map(
    ([name, value]) => ` \\\n  --form-string ${quoted(`${name}=${value}`)}`,
  );
  return `curl -s ${quoted(origin + TRANSCRIBE)} \\\n  --form ${quoted(`sound=@${body.text}`)}${fields.join("")}`;
}

/** The call from Python. @param {string} origin @param {TranslateBody} body whose text is the name of the file */
export const soundPython = (origin, body) =>
  [
    "import httpx",
    "",
    `with open(${JSON.stringify(body.text)}, "rb") as sound:`,
    "    reply = httpx.post(",
    `        ${JSON.stringify(origin + TRANSCRIBE)},`,
    '        files={"sound": sound},',
    `        data=${JSON.stringify(Object.fromEntries(soundFields(body)))},`,
    "        timeout=None,",
    "    )",
    "trace = reply.raise_for_status().json()",
    'print(trace["text"])',
  ].join("\n");

/** @param {string} text */
const quoted = (text) => `'${text.replace(/'/g, "'\\''")}'`;

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
