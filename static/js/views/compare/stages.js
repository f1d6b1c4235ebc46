/** Sentences on which models with and without attention differ. Pure. */

/** @import {Model} from "../../core/types" */

import { relatedModels } from "../../core/related_models.js";

/** The sentence of Bahdanau et al. (2015), section 5.2.2, that is too long for one vector. */
const QUOTATION =
  "An admitting privilege is the right of a doctor to admit a patient to a hospital or a medical centre to carry out a diagnosis or a procedure, based on his status as a health care worker at a hospital.";
const SHORT = "The white house on the hill belongs to my old friend.";

/**
 * The sentences to show beside a model without attention, by name; none if there is no such model.
 * @param {Model} model @param {Model[]} models @returns {{name: string, text: string}[]}
 */
export function stagesOf(model, models) {
  const all = [model, ...relatedModels(models, model)];
  const staged = all.length > 1 && all.some(({ mechanism }) => mechanism === "none");
  if (!staged || model.task !== "translate" || model.source.code !== "en") return [];
  return [
    { name: "A sentence", text: SHORT },
    { name: "A long quotation", text: QUOTATION },
  ].filter(({ text }) => text.length <= (model.limits.characters ?? Infinity));
}
