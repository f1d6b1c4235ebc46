/** What leaves the page: a curl line and names of files. Pure. */

/** @import {Model, Settings, Trace, TranslateBody} from "./types" */

import { TRANSLATE } from "./api.js";
import { requestBody } from "./request.js";
import { toQuery } from "./state.js";

/**
 * A link that says everything out loud, so that it shows the same when the defaults are others.
 * @param {string} page @param {Settings} settings @param {Model} model
 */
export function link(page, settings, model) {
  const { text } = requestBody(settings, model);
  const url = new URL(page);
  url.search = toQuery({ ...settings, model: model.id, text });
  url.hash = "";
  return url.href;
}

/** One word for a POSIX shell, whatever is in it. @param {string} text */
export function shellWord(text) {
  return `'${text.replace(/'/g, `'\\''`)}'`;
}

/** @param {string} origin @param {TranslateBody} body */
export function curl(origin, body) {
  return [
    `curl -s ${shellWord(origin + TRANSLATE)} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${shellWord(JSON.stringify(body))}`,
  ].join("\n");
}

/** A file's name from what was read, safe on every system. @param {Trace} trace @param {string} extension */
export function fileName(trace, extension) {
  const words = trace.source.text.normalize("NFKC").match(/[\p{L}\p{N}]+/gu) ?? [];
  const stem = Array.from(words.join("-")).slice(0, 40).join("");
  return `heed-${trace.model.id}${stem && `-${stem}`}.${extension}`;
}
