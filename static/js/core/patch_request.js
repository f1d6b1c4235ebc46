/** The request about a photo whose patches attend to each other; and the model of a trace. Pure. */

/** @import {Edit, Model, PatchTrace, PictureMap} from "./types" */

import { withoutMaps } from "./grid_request.js";
import { formCurl } from "./photo_curl.js";
import { modelOf } from "./imported_model.js";

export const SEE = "/api/v1/see";

/**
 * The fields of the form, without the photo.
 * @param {Model} model @param {readonly Edit[]} [edits] @param {{layer: number, head: number} | null} [only] the head to compute with its vectors @returns {[string, string][]}
 */
export const seeFields = (model, edits = [], only = null) => [
  ["model", model.id],
  .../** @type {[string, string][]} */ (edits.length ? [["edits", JSON.stringify(edits)]] : []),
  ...(only ? Object.entries(only) : []).map(
    ([name, place]) => /** @type {[string, string]} */ ([name, String(place)]),
  ),
];

/**
 * The fields of a request of the page, where the maps of a large trace may be left out.
 * @param {Model} model @param {readonly Edit[]} [edits] @returns {[string, string][]}
 */
export const pageFields = (model, edits) => withoutMaps(seeFields(model, edits), model);

/** Weights of the same photo differ by rounding alone. */
const ROUNDED = 1e-3;

/**
 * The trace with the map of one head that came with its vectors; null if that is of another photo,
 * such as the small copy in a saved trace.
 * @param {PatchTrace} trace @param {PatchTrace} alone @returns {PatchTrace | null}
 */
export function withHead(trace, { maps }) {
  let agrees = true;
  const joined = trace.maps.map((map) => {
    const found = maps.find((each) => sameHead(each, map));
    // A map that was left out and is not loaded is of an answer about this very photo.
    if (found && map.weights.length && !close(found.weights, map.weights)) agrees = false;
    return found ?? map;
  });
  return agrees ? { ...trace, maps: joined } : null;
}

/** @param {number[][]} one @param {number[][]} other */
const close = (one, other) =>
  one.every((row, i) => row.every((value, j) => Math.abs(value - other[i][j]) < ROUNDED));

/** @param {PictureMap} one @param {PictureMap} other */
const sameHead = (one, other) =>
  one.query === "source" &&
  one.kind === other.kind &&
  one.layer === other.layer &&
  one.head === other.head;

/** The call that makes the trace again, with curl. @param {string} origin @param {Model} model @param {string} file @param {readonly Edit[]} [edits] */
export const seeCurl = (origin, model, file, edits) =>
  formCurl(origin + SEE, file, seeFields(model, edits));

/** The model of a trace: an installed one, or one described by the trace itself. @param {PatchTrace} trace @param {Model[]} models @returns {Model} */
export function patchModelOf({ model, task, maps }, models) {
  const own = maps.filter(({ query }) => query === "source");
  return modelOf({ model, maps: own }, models, { task });
}
