/** The models that can be compared. Pure. */

/** @import {Model} from "./types" */

import { hears } from "./sound_task.js";

/**
 * The models with the same task and the same languages.
 * @param {Model[]} models @param {Model} model
 */
export function relatedModels(models, model) {
  return models.filter(
    ({ id, task, source, target }) =>
      id !== model.id &&
      !hears(model) && // its sound is not in the request of another model
      task === model.task &&
      source.code === model.source.code &&
      target.code === model.target.code,
  );
}
