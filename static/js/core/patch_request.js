/** The request about a photo whose patches attend to each other; and the model of a trace. Pure. */

/** @import {Model, PatchTrace} from "./types" */

import { formCurl } from "./grid_request.js";
import { modelOf } from "./imported_model.js";

export const SEE = "/api/v1/see";

/** The fields of the form, without the photo. @param {Model} model @returns {[string, string][]} */
export const seeFields = (model) => [["model", model.id]];

/** The call that makes the trace again, with curl. @param {string} origin @param {Model} model @param {string} file */
export const seeCurl = (origin, model, file) => formCurl(origin + SEE, file, seeFields(model));

/** The model of a trace: an installed one, or one described by the trace itself. @param {PatchTrace} trace @param {Model[]} models @returns {Model} */
export function patchModelOf({ model, task, maps }, models) {
  const own = maps.filter(({ query }) => query === "source");
  return modelOf({ model, maps: own }, models, { task });
}
