/** The request about a photo whose patches attend to each other; and the settings of a trace. Pure. */

/** @import {Model, PatchTrace} from "./types" */

import { IMPORTED_MODEL } from "./imported_model.js";

export const SEE = "/api/v1/see";

/** The fields of the form, without the photo. @param {Model} model @returns {[string, string][]} */
export const seeFields = (model) => [["model", model.id]];

/** The call that makes the trace again, with curl. @param {string} origin @param {Model} model @param {string} file */
export function seeCurl(origin, model, file) {
  const quoted = (/** @type {string} */ text) => `'${text.replace(/'/g, "'\\''")}'`;
  const fields = seeFields(model).map(
    ([name, value]) => ` \\\n  --form-string ${quoted(`${name}=${value}`)}`,
  );
  return `curl ${quoted(origin + SEE)} \\\n  --form ${quoted(`image=@${file}`)}${fields.join("")}`;
}

/** The model of a trace: an installed one, or one described by the trace itself. @param {PatchTrace} trace @param {Model[]} models @returns {Model} */
export function patchModelOf(trace, models) {
  const { id, mechanism, order } = trace.model;
  const maps = trace.maps.filter(({ query }) => query === "source");
  const count = (/** @type {"layer" | "head"} */ name) =>
    new Set(maps.map((map) => map[name])).size || 1;
  return (
    models.find((model) => model.id === id) ?? {
      ...IMPORTED_MODEL,
      name: id,
      task: trace.task,
      mechanism,
      order,
      layers: count("layer"),
      heads: count("head"),
    }
  );
}
