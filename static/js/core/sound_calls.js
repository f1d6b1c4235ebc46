/** The calls that transcribe a sound again, from other programs. Pure. */

/** @import {TranslateBody} from "./types" */

import { TRANSCRIBE, soundFields } from "./sound_request.js";

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
