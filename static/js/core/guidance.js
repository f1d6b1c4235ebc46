/** Models that differ in one thing alone: whether an aligner guided their attention. Pure. */

/** @import {Model} from "./types" */

/** The model that has all but its attention from this one, or the other way round; null if there is none. @param {Model[]} models @param {Model} model @returns {Model | null} */
export function counterpartOf(models, model) {
  return models.find(({ id, unguided }) => id === model.unguided || unguided === model.id) ?? null;
}
