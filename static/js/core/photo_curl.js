/** Calls about a photo with curl, which exports alone need. Pure. */

/** @import {Model, PictureSettings} from "./types" */

import { fieldsOf, pathOf } from "./grid_request.js";

/** The call that makes the trace again, with curl. @param {string} origin @param {PictureSettings} settings @param {Model} model @param {string} file */
export const curl = (origin, settings, model, file) =>
  formCurl(origin + pathOf(model), file, fieldsOf(settings, model));

/** A call with a photo, with curl. @param {string} url @param {string} file @param {[string, string][]} fields */
export function formCurl(url, file, fields) {
  const quoted = (/** @type {string} */ text) => `'${text.replace(/'/g, "'\\''")}'`;
  const rest = fields.map(([name, value]) => ` \\\n  --form-string ${quoted(`${name}=${value}`)}`);
  return `curl ${quoted(url)} \\\n  --form ${quoted(`image=@${file}`)}${rest.join("")}`;
}
